"""What may be seen from where: refuses to open an unprotected service to others. It opens nothing itself."""

from __future__ import annotations

import ipaddress

from sayso.config import Config
from sayso.errors import ConfigError
from sayso.tables import ProxyTable, section


def check_exposure(config: Config) -> None:
    """Raises ConfigError for settings under which strangers could come in; it says what to set instead."""
    if config.sign_in == "link" and not is_loopback(config.host):
        raise ConfigError(
            f"host {config.host!r} would open this to other machines, and a link signs in whoever has it; "
            'set sign_in = "users" (and `sayso users add NAME`), or sign_in = "proxy", or keep --host 127.0.0.1'
        )
    proxy = section(config.tables, "proxy", ProxyTable)
    if config.sign_in == "proxy" and not proxy.addresses:
        raise ConfigError('sign_in = "proxy" needs to know the proxy: addresses = ["10.0.0.2"] in [proxy]')
    for address in proxy.addresses:
        try:
            ipaddress.ip_network(address, strict=False)
        except ValueError as wrong:
            raise ConfigError(f"[proxy] addresses: {address!r} is no address or network ({wrong})") from wrong


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
