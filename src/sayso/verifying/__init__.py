"""The verifier alone, for facts and texts from anywhere: plain JSON in, verdicts out. No server, no store."""
