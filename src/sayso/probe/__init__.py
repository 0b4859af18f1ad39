"""Which model will do: realistic questions over the sample workspace, asked often, judged without a model.

It measures and recommends. What is done with a recommendation is the command line's and a person's business.
"""
