"""One file a provider's protocol: what a request looks like on the wire, and what a reply's events mean. Pure."""
