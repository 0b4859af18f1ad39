"""The inference service: the loop with every tool left to the caller. It holds no application data."""
