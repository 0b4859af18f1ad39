"""The socket that a server listens on, taken before anything is said. It knows no application."""

from __future__ import annotations

import errno
import os
import socket

from sayso.errors import ConfigError


def bound(host: str, port: int) -> socket.socket:
    """A socket on which to listen. Raises ConfigError where that is not possible, before anything is said."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as wrong:
        raise ConfigError(f"{host!r} is no address to listen on ({wrong.strerror}); use --host 127.0.0.1") from wrong
    try:
        if os.name == "posix":  # elsewhere this would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
    except OSError as wrong:
        listener.close()
        raise ConfigError(_refused(host, port, wrong)) from wrong
    return listener


def _refused(host: str, port: int, wrong: OSError) -> str:
    if wrong.errno == errno.EADDRINUSE:
        return f"port {port} is taken; stop what runs there, or use another one: --port {port % 65535 + 1}"
    if wrong.errno == errno.EACCES:
        return f"this user may not listen on port {port}; use one above 1023, such as --port 8787"
    if wrong.errno == errno.EADDRNOTAVAIL:
        return f"this machine has no address {host}; use --host 127.0.0.1"
    return f"cannot listen on {host}:{port}: {wrong.strerror}"
