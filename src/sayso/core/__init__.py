"""The engine: facts, tools, the verifier and the loop.

Pure: no I/O, no clock, no randomness, no framework. Everything it needs is passed in, so it can
be imported and run with no database, no key and no optional package installed.
"""
