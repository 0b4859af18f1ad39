"""Measuring the verifier on labelled texts: reading the sets, scoring, and the figures with their intervals."""
