"""Makes what a compiler needs of an Apple system: headers, modules of them, the standard library."""
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile

VERSION = "0.17.1"
SHA256 = "ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54"
HEADERS = "ziglang/lib/libc/include/any-darwin-any/"

ROOT = os.path.abspath(".build/apple")
OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "overlay")

# Headers of libraries that an SDK has and the wheel lacks: the system's own stand for them.
BORROWED = {"sqlite3": ["sqlite3.h"], "expat": ["expat.h", "expat_external.h"]}

# Modules that can't be the toolchain's: they wrap Glibc. Those without sources in overlay are empty.
REPLACED = ("Darwin", "Synchronization", "Dispatch", "Glib_")
LEFT_OUT = ("Glibc", "Cxx", "CxxStdlib", "XCTest")

# Names that are hidden from `canImport`, and others of the same length in their place. An Apple system has one
# Foundation instead of several.
HIDDEN = ((b"FoundationEssentials", b"FoundationEssential_"), (b"SwiftGlibc", b"SwiftGlib_"),
          (b"\0Glibc\0", b"\0Glib_\0"))


class Missing(Exception):
    """Something that this check needs can't be had here."""


def _run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def _hash(paths, *words):
    digest = hashlib.sha256("\0".join(words).encode())
    for path in paths:
        with open(path, "rb") as file:
            digest.update(path.encode() + b"\0" + hashlib.sha256(file.read()).digest())
    return digest.hexdigest()


def _wheel():
    """Downloads the wheel, or finds it; its contents are known by their hash."""
    folder = os.path.join(ROOT, "wheel")
    os.makedirs(folder, exist_ok=True)
    found = [name for name in os.listdir(folder) if name.endswith(".whl")]
    if not found:
        requirement = os.path.join(folder, "requirements.txt")
        with open(requirement, "w") as file:
            file.write("ziglang==%s --hash=sha256:%s\n" % (VERSION, SHA256))
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
                   "--only-binary", ":all:", "--platform", "manylinux_2_12_x86_64", "--require-hashes",
                   "--retries", "1", "--timeout", "20", "--dest", folder, "--requirement", requirement]
        if subprocess.run(command, capture_output=True).returncode:
            raise Missing("pip can't download ziglang %s" % VERSION)
        found = [name for name in os.listdir(folder) if name.endswith(".whl")]
    path = os.path.join(folder, found[0])
    with open(path, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != SHA256:
            raise Missing("%s isn't ziglang %s" % (path, VERSION))
    return path


def _headers():
    """Unpacks Apple's headers, with modules made of them; returns the SDK's folder."""
    own = [os.path.join(OWN, name) for name in sorted(os.listdir(OWN))]
    folder = os.path.join(ROOT, "sdk-" + _hash(own, SHA256, json.dumps(BORROWED))[:12])
    if os.path.exists(folder):
        return folder
    partial = folder + ".partial"
    shutil.rmtree(partial, ignore_errors=True)
    include = os.path.join(partial, "usr/include")
    with zipfile.ZipFile(_wheel()) as wheel:
        for name in wheel.namelist():
            if name.startswith(HEADERS) and not name.endswith("/"):
                path = os.path.join(include, name[len(HEADERS):])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "wb") as file:
                    file.write(wheel.read(name))
    shutil.copy(os.path.join(OWN, "module.modulemap"), include)
    shutil.copy(os.path.join(OWN, "xattr.h"), os.path.join(include, "sys"))
    for library, paths in BORROWED.items():
        base = subprocess.run(["pkg-config", "--variable=includedir", library], capture_output=True, text=True)
        for path in paths:
            source = os.path.join(base.stdout.strip() or "/usr/include", path)
            if os.path.exists(source):
                destination = os.path.join(include, path)
                os.makedirs(os.path.dirname(destination), exist_ok=True)
                os.symlink(source, destination)
    os.rename(partial, folder)
    _remove_others(folder, "sdk-")
    return folder


def _remove_others(folder, prefix):
    """Removes what earlier versions of the toolchain or of this program made."""
    for name in os.listdir(ROOT):
        if name.startswith(prefix) and name != os.path.basename(folder):
            shutil.rmtree(os.path.join(ROOT, name))


class System:
    """An Apple system at a version, as the compilers see it."""

    KINDS = {"macos": ("macosx", "macosx", "arm64-apple-macos"), "ios": ("ios", "iphoneos", "arm64-apple-ios")}

    def __init__(self, name, version):
        self.name, self.version = name, version
        self.triple_name, self._folder, self._stem = self.KINDS[name]
        try:
            information = json.loads(_run("swiftc", "-print-target-info"))
        except (OSError, subprocess.CalledProcessError) as error:
            raise Missing("swiftc doesn't run") from error
        self._compiler = information["compilerVersion"]
        self._linux = information["target"]["triple"]
        self._toolchain = information["paths"]["runtimeResourcePath"]
        if not os.path.isdir(os.path.join(self._toolchain, "linux")):
            raise Missing("the toolchain isn't one for Linux")
        self.sdk = _headers()
        self.key = hashlib.sha256(("%s %s %s %s" % (self._compiler, self.triple(), os.path.basename(self.sdk),
                                                    HIDDEN)).encode()).hexdigest()[:12]
        self.folder = os.path.join(ROOT, "%s-%s" % (name, self.key))
        self.resources = os.path.join(self.folder, "resources")
        if not os.path.exists(os.path.join(self.folder, "complete")):
            self._make()

    def __str__(self):
        return "%s %s" % ({"macos": "macOS", "ios": "iOS"}[self.name], self.version)

    def triple(self, architecture="arm64"):
        return "%s-apple-%s%s" % (architecture, self.triple_name, self.version)

    def frontend(self, *words):
        """Returns a command of the Swift compiler's frontend for this system."""
        return ["swiftc", "-frontend", "-target", self.triple(), "-sdk", self.sdk, "-resource-dir", self.resources,
                "-disable-objc-interop", "-module-cache-path", os.path.join(self.folder, "cache"),
                "-plugin-path", os.path.join(self._toolchain, "host/plugins"), *words]

    def _make(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        _remove_others(self.folder, self.name + "-")
        modules = os.path.join(self.resources, self._folder)
        os.makedirs(modules)
        for name in ("shims", "clang", "apinotes", "_FoundationCShims", "_foundation_unicode"):
            os.symlink(os.path.join(self._toolchain, name), os.path.join(self.resources, name))
        for entry in sorted(os.listdir(os.path.join(self._toolchain, "linux"))):
            name, extension = os.path.splitext(entry)
            if extension == ".swiftmodule" and name not in REPLACED + LEFT_OUT:
                self._adopt(name, modules)
        for name in REPLACED:
            self._compile(name, modules)
        with open(os.path.join(self.folder, "complete"), "w"):
            pass

    def _adopt(self, name, modules):
        """Copies a module of the toolchain, for this system instead of Linux."""
        source = os.path.join(self._toolchain, "linux", name + ".swiftmodule", self._linux)
        is_binary = os.path.exists(source + ".swiftmodule")
        extension = ".swiftmodule" if is_binary else ".swiftinterface"
        with open(source + extension, "rb") as file:
            contents = file.read()
        # In a binary module, the other name must be as long. The version isn't used: it only fills the length.
        other = "arm64-apple-%s10." % self.triple_name
        other += "13".rjust(len(self._linux) - len(other), "0")
        if not is_binary:
            other = self.triple()
        contents = contents.replace(self._linux.encode(), other.encode())
        for hidden, shown in HIDDEN:
            contents = contents.replace(hidden, shown)
            name = name.replace(hidden.decode(), shown.decode())
        folder = os.path.join(modules, name + ".swiftmodule")
        os.makedirs(folder)
        with open(os.path.join(folder, self._stem + extension), "wb") as file:
            file.write(contents)

    def _compile(self, name, modules):
        source = os.path.join(OWN, name + ".swift")
        folder = os.path.join(modules, name + ".swiftmodule")
        os.makedirs(folder)
        if not os.path.exists(source):
            source = os.path.join(self.folder, name + ".swift")
            with open(source, "w") as file:
                file.write("@_exported import Darwin\n")
        command = self.frontend("-emit-module", "-parse-as-library", "-module-name", name, "-o",
                                os.path.join(folder, self._stem + ".swiftmodule"), source)
        if name == "Darwin":
            command.append("-import-underlying-module")
        subprocess.run(command, capture_output=True, text=True, check=True)
