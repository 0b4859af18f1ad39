"""The verifier beside others that run offline: what each is given, what each says, how long each takes."""
