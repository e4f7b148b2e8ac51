"""Find the proxy and the certificates for a server, from environment variables.

A server on this machine is reached without a proxy, and its certificate is not checked. Certificates are loaded only
for `https:`. An invalid variable is reported by name before anything is sent.
"""

from __future__ import annotations

import importlib.util
import ipaddress
import os
import re
import ssl
import urllib.request
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx

from agents.external.unavailable import UnavailableError
from edge_envs.core.checks.files import open_regular

PROXIES = ("http", "https", "socks5", "socks5h")

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True)
class Route:
    """How a server is reached: the proxy, and the trusted certificates (False: certificates are not checked)."""

    proxy: httpx.Proxy | None
    trusted: ssl.SSLContext | bool
    shown: str
    """The proxy for messages, such as " through the proxy http://proxy:3128 (HTTPS_PROXY)"; "" if there is none."""


def route_to(url: str) -> Route:
    """Return the route to a URL. UnavailableError names the invalid variable."""
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname or "", parts.port
    except ValueError as error:  # a port that is too large, an address without its bracket
        raise UnavailableError(f"{without_password(url)}: {error}") from None
    if is_local(host):
        return Route(None, False, "")
    variable, proxy = _proxy_for(scheme, host, port)
    trusted = _trusted(url) if scheme == "https" else False
    if not proxy:
        return Route(None, trusted, "")
    shown = without_password(proxy)
    remedy = f"unset it, or add {host} to NO_PROXY"
    try:
        made = httpx.Proxy(proxy)
        usable = made.url.scheme in PROXIES and bool(made.url.host)
    except (ValueError, httpx.InvalidURL):
        usable = False
    if not usable:
        expected = f"expected a URL with {', '.join(PROXIES[:-1])} or {PROXIES[-1]}"
        raise UnavailableError(f"invalid proxy {variable}={shown}: {expected}; {remedy}")
    if made.url.scheme.startswith("socks") and not _has_socks():
        install = 'SOCKS needs the package socksio (pip install "httpx[socks]")'
        raise UnavailableError(f"unusable proxy {variable}={shown}: {install}; {remedy}")
    return Route(made, trusted, f" through the proxy {shown} ({variable})")


def is_local(host: str) -> bool:
    """Return whether a host is this machine."""
    address = _address(host)
    if address is None:
        return host.lower().rstrip(".").rpartition(".")[2] == "localhost"
    return address.is_loopback or address.is_unspecified


def without_password(url: str) -> str:
    """Return a URL without user and password."""
    return re.sub(r"//[^/]*@", "//***@", url)


def _proxy_for(scheme: str, host: str, port: int | None) -> tuple[str, str]:
    """Return the variable that names the proxy for a host, and the URL of the proxy; both "" if there is none."""
    proxies = urllib.request.getproxies()
    if any(_covers(entry, host, port) for entry in re.split(r"[\s,]+", proxies.get("no", ""))):
        return "", ""
    for kind in (scheme, "all"):
        if proxy := proxies.get(kind):
            names = (f"{kind}_proxy", f"{kind}_proxy".upper())
            variable = next((name for name in names if os.environ.get(name)), "the proxy of this system")
            return variable, proxy if "://" in proxy else f"http://{proxy}"
    return "", ""


def _covers(entry: str, host: str, port: int | None) -> bool:
    """Return whether an entry of NO_PROXY covers a host: `*`, a domain, an address or a network, maybe with a port."""
    entry = entry.partition("://")[2] or entry
    if entry == "*":
        return True
    name, wanted = _split_port(entry)
    if wanted and wanted != str(port or ""):
        return False
    address = _address(host)
    if address is not None:
        try:
            network = ipaddress.ip_network(name.replace("[", "").replace("]", ""), strict=False)
        except ValueError:
            return False
        return address in network
    domain = name.lower().lstrip("*").strip(".")
    given = host.lower().rstrip(".")
    return bool(domain) and (given == domain or given.endswith(f".{domain}"))


def _split_port(entry: str) -> tuple[str, str]:
    """Split an entry into host and port; an IPv6 address has a port only after brackets."""
    if entry.startswith("["):
        name, _, rest = entry.partition("]")
        return name + "]" + rest.partition(":")[0], rest.partition(":")[2]
    name, _, port = entry.partition(":")
    return (name, port) if ":" not in port else (entry, "")


def _address(host: str) -> _Address | None:
    """Return the IP address of a host, with IPv4 in IPv6 unwrapped; None for a name."""
    try:
        address = ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _trusted(url: str) -> ssl.SSLContext:
    """Load the trusted certificates: from SSL_CERT_FILE or SSL_CERT_DIR, or those of certifi."""
    import certifi

    file, folder = os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    variable, given = ("SSL_CERT_FILE", file) if file else ("SSL_CERT_DIR", folder) if folder else ("", certifi.where())
    try:
        if variable == "SSL_CERT_DIR":
            os.scandir(given).close()  # OpenSSL itself treats a missing folder as empty
            return ssl.create_default_context(capath=given)
        open_regular(given or "").close()
        return ssl.create_default_context(cafile=given)
    except OSError as error:  # ssl.SSLError is one
        why = " ".join((error.strerror or str(error)).split())
        if variable and (isinstance(error, ssl.SSLError) or error.filename == given):
            raise UnavailableError(f"invalid {variable}={given}: cannot be read as certificates ({why})") from None
        if log := os.environ.get("SSLKEYLOGFILE"):
            raise UnavailableError(f"invalid SSLKEYLOGFILE={log}: cannot be written ({why})") from None
        raise UnavailableError(f"{without_password(url)}: no certificates for https ({why})") from None


def _has_socks() -> bool:
    return importlib.util.find_spec("socksio") is not None
