"""The verifier: deterministic, no model call, no network."""
