"""Certificates for servers on this machine: an authority of our own, and what it signs."""

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_ADDRESS = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Certificates:
    """Three PEM files: whom clients trust, and what a server on 127.0.0.1 shows."""

    authority: Path
    certificate: Path
    key: Path


def make_certificates(folder: Path) -> Certificates:
    """New ones, good for an hour."""
    folder.mkdir(parents=True, exist_ok=True)
    made = Certificates(folder / "authority.pem", folder / "server.pem", folder / "server.key")
    authority_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    authority_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "an authority of a test")])
    authority = _builder(authority_name, authority_name, authority_key).add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, _ADDRESS)])
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(_ADDRESS))])
    server = _builder(name, authority_name, key).add_extension(names, critical=False)
    for path, builder in ((made.authority, authority), (made.certificate, server)):
        path.write_bytes(builder.sign(authority_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    made.key.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return made


def _builder(name: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return x509.CertificateBuilder(
        issuer,
        name,
        key.public_key(),
        x509.random_serial_number(),
        now - timedelta(minutes=5),
        now + timedelta(hours=1),
    )
