"""Builds the compiled extension, if Cython, the headers of lxml and of Python, and a C compiler are available.

Without it numpy computes the same. An extension that lies beside the sources and was built from them as they are now is
copied: by each later installation, and by `scrapyd-deploy`, which builds its egg from an empty build folder each time.
"""

import hashlib
import os
import shutil
import sys
import sysconfig
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOM = Path("extractors/kernels")
NAME = "extractors.kernels.native"
COMPILING = {"bdist_egg", "bdist_wheel", "build", "build_ext", "develop", "editable_wheel", "install"}


class BuildExtension(build_ext):
    """Copies the built extension instead of compiling it again, which takes half a minute or more."""

    def build_extension(self, ext: Extension) -> None:
        if not (ready := built()):
            super().build_extension(ext)
            return
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ready[0], target)

    def copy_file(self, infile: str, outfile: str, *args: object, **options: object) -> tuple[str, bool]:
        """Beside the sources it appears whole: a crawl that starts now may load it."""
        part = f"{outfile}.part"
        super().copy_file(infile, part, *args, **options)
        os.replace(part, outfile)
        return outfile, True


def digest() -> str:
    """Of the sources in their order; `extractors.kernels` compares it with what lies there."""
    sources = sorted((file for kind in ("*.pyx", "*.pxi") for file in ROOM.glob(kind)), key=lambda file: file.name)
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in sources)).hexdigest()[:16]


def built() -> list[Path]:
    """The extension for this Python that was built from the sources as they are now; it contains their digest."""
    places = (ROOM / f"native{suffix}" for suffix in EXTENSION_SUFFIXES)
    return [place for place in places if place.is_file() and digest().encode() in place.read_bytes()]


def has_compiler() -> bool:
    """Whether the compiler that this Python asks for and Python's headers are there; Windows finds its own."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    return os.name == "nt" or bool(shutil.which(compiler) and Path(sysconfig.get_path("include"), "Python.h").is_file())


def wait_for_others() -> bool:
    """Until no other process compiles here; from then on this one does. False where files have no locks."""
    try:
        import fcntl
    except ImportError:
        return False
    Path("build").mkdir(exist_ok=True)
    lock = os.open("build/compiling.lock", os.O_CREAT | os.O_RDWR)  # open until this process ends
    fcntl.lockf(lock, fcntl.LOCK_EX)
    return True


def extensions() -> list[Extension]:
    """The module to build; none where its tools are missing or TOPICRAWL_COMPILED=off says so, or nothing is built."""
    if os.environ.get("TOPICRAWL_COMPILED", "").lower() in ("off", "0", "no", "false") or COMPILING.isdisjoint(
        sys.argv
    ):
        return []
    if built() or (wait_for_others() and built()):
        return [Extension(NAME, [str(ROOM / "native.pyx")])]
    try:
        if not has_compiler():
            raise OSError("there is no C compiler, or no headers of Python")
        import lxml
        from Cython.Build import cythonize

        native = Extension(
            NAME,
            [str(ROOM / "native.pyx")],
            include_dirs=lxml.get_include(),
            define_macros=[("TOPICRAWL_SOURCE", f'"{digest()}"')],
            # -O2 takes a third longer, and pages and titles are no faster
            extra_compile_args=[] if os.name == "nt" else ["-O1", "-g0", "-ffp-contract=off"],
        )
        found: list[Extension] = cythonize([native], build_dir="build/cython", force=True, quiet=True)
    except Exception as error:
        print(f"the compiled extension is not built ({error}): numpy does the same, more slowly")
        return []
    for extension in found:
        extension.optional = True  # asked for above, it would be forgotten on the way
    return found


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildExtension})
