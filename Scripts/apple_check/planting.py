"""Plants errors that only an Apple system shows; the check must find each."""
import os
import tempfile

import checking

# A target with C modules and pointers, so that plants fail for their error alone.
TARGET = "Platform"

PLANTS = (
    ("", None),
    ("@available(macOS 99, iOS 99, *) func future() {}\nfunc planted() { future() }", "is only available in"),
    ("func planted() { _ = gnu_get_libc_version() }", "cannot find 'gnu_get_libc_version' in scope"),
    ("func planted() -> Int { stat().st_mtim.tv_sec }", "has no member 'st_mtim'"),
)


def run(systems, targets):
    """Returns the exit status: 1 if an error isn't found, or if one is found without a plant."""
    status = 0
    for system in systems:
        for name, target in checking.Check(system, targets[TARGET], targets).imports.items():
            checking.Check(system, target, targets).run()
        for text, message in PLANTS:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "Planted.swift")
                with open(path, "w") as file:
                    file.write("import Darwin\n" + text + "\n")
                errors = checking.Check(system, targets[TARGET], targets, [path]).run()
            if (message is None and errors) or (message and message not in errors):
                status = 1
                print("%s: %s\nwasn't judged as it should be:\n%s" % (system, text or "without a plant", errors))
    print("apple-check: %d plants for %d systems: %s" % (
        len(PLANTS) - 1, len(systems), "not all found" if status else "all found"))
    return status
