"""The in-app deployment: the loop, the store and the gateway in one process."""
