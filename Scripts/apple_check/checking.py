"""Compiles C targets and typechecks Swift targets, two or more at a time."""
import concurrent.futures
import hashlib
import os
import subprocess
import threading

ARCHITECTURES = {"macos": ("arm64", "x86_64"), "ios": ("arm64",)}


class Check:
    """The check of one target for one system."""

    def __init__(self, system, target, targets, planted=()):
        self.system, self.target = system, target
        self.sources = target.sources + list(planted)
        self.folder = os.path.join(system.folder, "planted" if planted else "modules", target.name)
        self.imports = self._imports(targets)
        self.texts = {path: _read(path) for path in self.sources + target.headers}

    def _imports(self, targets):
        """Returns the targets that this one imports, and those that they import, by their names."""
        found, names = {}, list(self.target.dependencies(self.system.name))
        while names:
            target = targets[names.pop()]
            if target.name not in found:
                found[target.name] = target
                names += target.dependencies(self.system.name)
        return found

    def result(self):
        """Returns a hash of what those that import the target see of it."""
        module = os.path.join(self.folder, self.target.module + ".swiftmodule")
        if self.target.is_swift and os.path.exists(module):
            return hashlib.sha256(_read(module)).hexdigest()
        return hashlib.sha256(b"".join(self.texts[path] for path in self.target.headers)).hexdigest()

    def key(self, keys):
        """Returns a hash of everything that this check depends on."""
        digest = hashlib.sha256(repr((self.commands(), sorted(keys[name] for name in self.imports))).encode())
        for path, text in self.texts.items():
            digest.update(path.encode() + b"\0" + hashlib.sha256(text).digest())
        return digest.hexdigest()

    def commands(self):
        """Returns the commands that check the target."""
        if self.target.is_swift:
            return [self._swift()]
        common = ["-isysroot", self.system.sdk, "-Wall", "-Werror"]
        commands = []
        for architecture in ARCHITECTURES[self.system.name]:
            base = ["clang", "-target", self.system.triple(architecture), *common]
            include = [word for each in [self.target, *self.imports.values()] if not each.is_swift
                       for word in ("-I", os.path.join(each.path, "include"))]
            commands += [[*base, *include, "-c", "-o", os.devnull, source] for source in self.sources]
            commands += [[*base, "-fsyntax-only", "-x", "c", "-Wno-pragma-once-outside-header",
                          "-Wno-unused-function", header] for header in self.target.headers if header.endswith(".h")]
        return commands

    def _swift(self):
        words = ["-module-name", self.target.module, *self.target.flags(self.system.name)]
        if not any(os.path.basename(source) == "main.swift" for source in self.sources):
            words.append("-parse-as-library")
        for name, target in self.imports.items():
            if target.is_swift:
                words += ["-I", os.path.join(self.system.folder, "modules", name)]
            else:
                words += ["-Xcc", "-fmodule-map-file=" + _module_map(self.system, target)]
        if self.target.kind == "test":
            return self.system.frontend("-typecheck", *words, *self.sources)
        module = os.path.join(self.folder, self.target.module + ".swiftmodule")
        return self.system.frontend("-emit-module", "-enable-testing", "-o", module, *words, *self.sources)

    def run(self):
        """Runs the commands; returns the errors, or an empty text."""
        os.makedirs(self.folder, exist_ok=True)
        for command in self.commands():
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode:
                return result.stderr.strip() or "%s ended with %d" % (command[0], result.returncode)
        return ""


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def _module_map(system, target):
    """Returns the path of a C target's module map; makes one if the target has none."""
    path = os.path.join(target.path, "module.modulemap")
    if os.path.exists(path):
        return os.path.abspath(path)
    path = os.path.join(system.folder, "modules", target.name, "module.modulemap")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    include = os.path.abspath(os.path.join(target.path, "include"))
    partial = "%s.%d" % (path, threading.get_ident())
    with open(partial, "w") as file:
        file.write('module %s {\n  umbrella "%s"\n  export *\n}\n' % (target.module, include))
    # A compiler that another thread runs may read the old file at the same time.
    os.replace(partial, path)
    return path


def run(systems, targets, jobs):
    """Checks all targets for all systems; returns the exit status."""
    failures = done = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        checks = {(system, name): Check(system, target, targets)
                  for system in systems for name, target in targets.items() if _is_used(target, system, targets)}
        keys, waiting, running, failed = {system: {} for system in systems}, dict(checks), {}, set()
        while waiting or running:
            for place, check in list(waiting.items()):
                system, name = place
                if any((system, each) in failed for each in check.imports):
                    failed.add(place)
                    del waiting[place]
                elif all(each in keys[system] for each in check.imports):
                    del waiting[place]
                    key = check.key(keys[system])
                    if _stamp(check) == key:
                        keys[system][name] = check.result()
                    else:
                        running[pool.submit(check.run)] = place, key
            if not running:
                continue
            ended, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in ended:
                (system, name), key = running.pop(future)
                errors = future.result()
                done += 1
                if errors:
                    failures += 1
                    failed.add((system, name))
                    print("%s, %s:\n%s" % (name, system, errors), flush=True)
                else:
                    keys[system][name] = checks[system, name].result()
                    with open(os.path.join(checks[system, name].folder, "key"), "w") as file:
                        file.write(key)
    unchecked = len(failed) - failures
    print("apple-check: %d targets for %s%s: %s" % (
        len(targets), " and ".join(str(system) for system in systems),
        "" if done else ", unchanged", "%d failed, %d not checked" % (failures, unchecked) if failures else "no errors"))
    return 1 if failures else 0


def _is_used(target, system, targets):
    """Returns whether a target is part of the package on a system: system libraries are if another imports them."""
    return target.kind != "system" or any(target.name in other.dependencies(system.name) for other in targets.values())


def _stamp(check):
    try:
        return _read(os.path.join(check.folder, "key")).decode()
    except FileNotFoundError:
        return None
