"""The command line, which is also the composition root: here the parts are put together."""
