"""Reads Package.swift: the systems, the targets, their sources and compiler settings."""
import json
import os
import subprocess

SYSTEMS = ("macos", "ios")


def _package(*words):
    output = subprocess.run(["swift", "package", *words], capture_output=True, text=True, check=True).stdout
    return json.loads(output)


_manifest = {}


def _dumped():
    if not _manifest:
        _manifest.update(_package("dump-package"))
    return _manifest


def platforms():
    """Returns the names and oldest versions of Apple's systems in `platforms:`: `macos`, `ios`."""
    return [(each["platformName"], each["version"]) for each in _dumped()["platforms"]
            if each["platformName"] in SYSTEMS]


def _applies(condition, system):
    names = (condition or {}).get("platformNames") or [system]
    return system in names


class Target:
    """A target of the package."""

    def __init__(self, dumped, described, package):
        self.name, self.module, self.kind = dumped["name"], described["c99name"], dumped["type"]
        self.path, self.package = described["path"], package
        self.sources = [os.path.join(self.path, source) for source in described["sources"]]
        self.is_swift = described["module_type"] == "SwiftTarget"
        self.modes = package["swiftLanguageVersions"]
        self.headers = sorted(
            os.path.join(folder, name) for folder, _, names in os.walk(self.path) for name in names
            if not self.is_swift and name.endswith((".h", ".modulemap")))
        self._dependencies = [next(iter(each.values())) for each in dumped["dependencies"]]
        self._settings = dumped["settings"]

    def dependencies(self, system):
        """Returns the names of the targets that this one imports on a system."""
        return [each[0] for each in self._dependencies if _applies(each[-1], system)]

    def flags(self, system):
        """Returns the settings as flags of the compiler's frontend."""
        flags = ["-swift-version", self.modes[0], "-package-name", self.package["name"].replace("-", "_")]
        for setting in self._settings:
            (kind, value), = setting["kind"].items()
            if setting["tool"] != "swift" or not _applies(setting.get("condition"), system):
                continue
            if kind in ("enableUpcomingFeature", "enableExperimentalFeature"):
                flags += ["-enable-%s-feature" % kind[6:-7].lower(), value["_0"]]
            elif (kind, value) == ("treatAllWarnings", {"_0": "error"}):
                flags.append("-warnings-as-errors")
            elif kind == "swiftLanguageMode":
                flags[1] = value["_0"]
            elif kind == "strictMemorySafety":
                flags.append("-strict-memory-safety")
            elif kind == "define":
                flags.append("-D" + value["_0"])
            else:
                raise SystemExit("apple-check: the setting %s of %s isn't known" % (kind, self.name))
        return flags


def targets():
    """Returns the targets by their names, each after those that it imports."""
    described = {each["name"]: each for each in _package("describe", "--type", "json")["targets"]}
    dumped = {each["name"]: each for each in _dumped()["targets"]}
    ordered = {}

    def add(name):
        if name in ordered:
            return
        for dependency in dumped[name]["dependencies"]:
            add(next(iter(dependency.values()))[0])
        ordered[name] = Target(dumped[name], described[name], _dumped())

    for name, target in dumped.items():
        # PackagePlugin, which plugins import, is part of Xcode.
        if target["type"] == "plugin":
            print("apple-check: not checked: the plugin '%s'" % name)
        else:
            add(name)
    return ordered


def near_system(targets):
    """Returns the targets in C, those that import one, and what these import."""
    near = {}

    def add(target):
        near[target.name] = target
        for name in {each for system in SYSTEMS for each in target.dependencies(system)}:
            add(targets[name])

    for target in targets.values():
        names = {each for system in SYSTEMS for each in target.dependencies(system)}
        if target.kind != "test" and (not target.is_swift or any(not targets[each].is_swift for each in names)):
            add(target)
    return near
