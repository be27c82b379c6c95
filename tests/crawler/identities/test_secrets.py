"""Names and passwords come from where only their owner reads them, and no message repeats them."""

from pathlib import Path

import pytest
from scrapy.settings import Settings

from crawler.identities.secrets import Secrets, SecretsError


def _file(folder: Path, text: str, mode: int = 0o600) -> Settings:
    path = folder / "secrets.yaml"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return Settings({"LOGIN_SECRETS": str(path)})


def test_the_environment_comes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = _file(tmp_path, "reader-1: {username: a, password: '0042'}\nother: {username: b, password: c}")
    found = Secrets(settings).of("reader-1")
    assert found is not None
    assert found.password == "0042"
    monkeypatch.setenv("LOGIN_USERNAME_READER_1", "from")
    monkeypatch.setenv("LOGIN_PASSWORD_READER_1", "outside")
    found = Secrets(settings).of("reader-1")
    assert found is not None
    assert (found.username, found.password) == ("from", "outside")
    assert "outside" not in repr(found)
    assert Secrets(settings).of("nobody") is None


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    with pytest.raises(SecretsError, match="chmod 600"):
        Secrets(_file(tmp_path, "reader: {username: a, password: b}", mode))


@pytest.mark.parametrize(
    "text",
    [
        "reader: {username: a, password: *GEHEIM}",
        "reader: {username: a, password: !GEHEIM x}",
        "reader: {username: a, password: 'GEHEIM}",
        "reader: {username: a, password: GEHEIM, pin: 1}",
        "reader: {username: 1, password: GEHEIM}",
        "- GEHEIM",
        "GEHEIM",
    ],
)
def test_a_file_with_a_mistake_is_refused_without_quoting_it(tmp_path: Path, text: str) -> None:
    with pytest.raises(SecretsError) as raised:
        Secrets(_file(tmp_path, text))
    assert "GEHEIM" not in str(raised.value)
    assert raised.value.__cause__ is None
