"""What every HTTP service of Sayso is made of: strict bodies, problem documents, event streams, endpoints."""
