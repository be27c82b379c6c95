"""Builds the compiled extension, if Cython, the headers of lxml and a C compiler are available.

Without it numpy computes the same. `scrapyd-deploy` builds the egg with this file too.
"""

import hashlib
import os
from pathlib import Path

from setuptools import Extension, setup

ROOM = Path("extractors/kernels")


def digest() -> str:
    """Of the sources in their order; `extractors.kernels` compares it with what lies there."""
    sources = sorted((file for kind in ("*.pyx", "*.pxi") for file in ROOM.glob(kind)), key=lambda file: file.name)
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in sources)).hexdigest()[:16]


def extensions() -> list[Extension]:
    """The module to build; none where its tools are missing or TOPICRAWL_COMPILED=off says so."""
    if os.environ.get("TOPICRAWL_COMPILED", "").lower() in ("off", "0", "no", "false"):
        return []
    try:
        import lxml
        from Cython.Build import cythonize

        native = Extension(
            "extractors.kernels.native",
            [str(ROOM / "native.pyx")],
            include_dirs=lxml.get_include(),
            define_macros=[("TOPICRAWL_SOURCE", f'"{digest()}"')],
            extra_compile_args=[] if os.name == "nt" else ["-O2", "-g0"],
        )
        found: list[Extension] = cythonize([native], build_dir="build/cython", force=True, quiet=True)
    except Exception as error:
        print(f"the compiled extension is not built ({error}): numpy does the same, more slowly")
        return []
    for extension in found:
        extension.optional = True  # asked for above, it would be forgotten on the way
    return found


setup(ext_modules=extensions())
