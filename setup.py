"""Builds the compiled extension, if Cython, the headers of lxml and a C compiler are available.

Without it numpy computes the same. `scrapyd-deploy` builds the egg with this file too, from an empty build folder each
time: it gets the extension that an installation left beside the sources, if it was built from them as they are now.
"""

import hashlib
import os
import shutil
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOM = Path("extractors/kernels")
NAME = "extractors.kernels.native"


class CopyExtension(build_ext):
    """Copies the built extension instead of compiling it again, which takes half a minute or more."""

    def build_extension(self, ext: Extension) -> None:
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(built()[0], target)


def digest() -> str:
    """Of the sources in their order; `extractors.kernels` compares it with what lies there."""
    sources = sorted((file for kind in ("*.pyx", "*.pxi") for file in ROOM.glob(kind)), key=lambda file: file.name)
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in sources)).hexdigest()[:16]


def built() -> list[Path]:
    """The extension for this Python that was built from the sources as they are now; it contains their digest."""
    places = (ROOM / f"native{suffix}" for suffix in EXTENSION_SUFFIXES)
    return [place for place in places if place.is_file() and digest().encode() in place.read_bytes()]


def extensions() -> list[Extension]:
    """The module to build; none where its tools are missing or TOPICRAWL_COMPILED=off says so, or nothing is built."""
    if os.environ.get("TOPICRAWL_COMPILED", "").lower() in ("off", "0", "no", "false") or "clean" in sys.argv:
        return []
    if COPIES:
        return [Extension(NAME, [str(ROOM / "native.pyx")])]
    try:
        import lxml
        from Cython.Build import cythonize

        native = Extension(
            NAME,
            [str(ROOM / "native.pyx")],
            include_dirs=lxml.get_include(),
            define_macros=[("TOPICRAWL_SOURCE", f'"{digest()}"')],
            extra_compile_args=[] if os.name == "nt" else ["-O2", "-g0", "-ffp-contract=off"],
        )
        found: list[Extension] = cythonize([native], build_dir="build/cython", force=True, quiet=True)
    except Exception as error:
        print(f"the compiled extension is not built ({error}): numpy does the same, more slowly")
        return []
    for extension in found:
        extension.optional = True  # asked for above, it would be forgotten on the way
    return found


COPIES = "bdist_egg" in sys.argv and bool(built())
setup(ext_modules=extensions(), cmdclass={"build_ext": CopyExtension} if COPIES else {})
