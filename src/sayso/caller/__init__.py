"""The caller's side: drives the loop over HTTP, runs what the model asks for, and resubmits."""
