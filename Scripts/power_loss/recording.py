"""Records a run of a program with strace, and turns its system calls into operations on a disk.

Everything that changes files is traced with its data. Not recorded: what is written through a mapping, which
SQLite does with a `-shm` alone (it is SQLite's lock area, and no row depends on it); times; owners, as all files
have the runner's. After each run, the operations are applied to the files from before, and the result must equal
the folder, so that a call that isn't understood is noticed.
"""
import copy
import os
import re
import subprocess
import tempfile

import disk
import judge

CALLS = """open openat creat write pwrite64 writev pwritev pwritev2 ftruncate truncate fallocate rename renameat
renameat2 link linkat unlink unlinkat mkdir mkdirat rmdir symlink symlinkat chmod fchmod fchmodat fsetxattr setxattr
copy_file_range sendfile ioctl fsync fdatasync sync_file_range lseek""".split()
FICLONE = "FICLONE"
# The longest piece that the tool writes in one call has 256 KiB.
LONGEST = 1 << 20

LINE = re.compile(r"^(\d+) +(.*)$")
CALL = re.compile(r"^([a-z_0-9]+)\((.*)\) += (-?\d+)")
DESCRIPTOR = re.compile(r"^(-?\d+|AT_FDCWD)(?:<([^>]*)>)?(\(deleted\))?$")
VECTOR = re.compile(r'iov_base="((?:\\x[0-9a-f]{2})*)"')


class RecordingError(Exception):
    """A run that can't be recorded faithfully."""


class Recording:
    """A recorded run: the disk before it, its operations, and the disk after it."""

    def __init__(self, files):
        self.start = files
        self.names = {number: dict(inode.names) for number, inode in files.inodes.items() if inode.is_folder}
        self.images = {number: inode.data for number, inode in files.inodes.items()}
        self.modes = {number: inode.mode for number, inode in files.inodes.items()}
        self.disk, self.operations = copy.deepcopy(files), []

    def without(self, places):
        """Returns the recording without some of its operations."""
        other = copy.copy(self)
        other.operations = [moved(operation, places) for place, operation in enumerate(self.operations)
                            if place not in places]
        return other

    def first_disk(self):
        """Returns the disk before the run, with the files that will be created."""
        files = copy.deepcopy(self.disk)
        for number, inode in files.inodes.items():
            inode.names, inode.data = dict(self.names.get(number, {})), self.images.get(number, b"")
            inode.mode = self.modes.get(number, inode.created_mode)
        return files

    @property
    def syncs(self):
        return [place for place, operation in enumerate(self.operations) if operation.kind == "sync"]

    def forget(self, endings, store):
        """Makes files of the start such that an app wrote them without a sync."""
        written = []
        for ending in endings:
            inode = self.names[disk.ROOT].pop(store + ending, None)
            if inode is None:
                continue
            created = disk.Operation("name", "create %s" % store + ending, halves=[(disk.ROOT, store + ending, inode)])
            bytes_ = disk.Operation("write", "the app's writes to %s" % store + ending, inode, offset=0,
                                    data=self.images.pop(inode))
            self.modes.pop(inode)
            written += [created, bytes_]
        for operation in self.operations:
            if operation.kind == "sync":
                operation.upto += len(written)
        self.operations[:0] = written


def moved(operation, gone):
    """Returns an operation of a recording without others; what a sync covers is counted from those that stay."""
    if operation.kind != "sync":
        return operation
    operation = copy.copy(operation)
    operation.upto -= sum(place < operation.upto for place in gone)
    return operation


def decoded(text):
    """Returns the bytes of a text that strace printed in hexadecimal digits, or as it is."""
    return bytes.fromhex(text.replace("\\x", "")) if text.startswith("\\x") else text.encode()


def arguments_of(text):
    """Splits a call's arguments at the commas outside of brackets."""
    if "[" not in text and "{" not in text:
        return text.split(", ")
    found, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        elif letter == "," and depth == 0:
            found.append(text[start:place])
            start = place + 2
    return found + [text[start:]]


class Recorder:
    """Appends the operations of runs in a real folder to a list, and keeps the disk that they lead to."""

    def __init__(self, folder, files, operations):
        self.folder, self.disk, self.operations = os.path.realpath(folder), files, operations
        self.places = {}
        self.last = {}

    def run(self, words, inject=()):
        """Runs a program in the folder under strace, and returns how it ended."""
        with tempfile.TemporaryDirectory() as notes:
            path = os.path.join(notes, "trace")
            tracing = ["strace", "-f", "-qq", "-y", "--strings-in-hex=all", "-s", str(LONGEST), "-o", path,
                       "-e", "signal=none", "-e", "trace=" + ",".join("?" + call for call in CALLS)]
            for fault in inject:
                tracing += ["-e", "inject=" + fault]
            ending = subprocess.run(
                tracing + words, cwd=self.folder, env=judge.environment(self.temporary), capture_output=True,
                stdin=subprocess.DEVNULL, timeout=300)
            with open(path, encoding="ascii") as file:
                self.read(file)
        self.check()
        return ending

    def read(self, lines):
        """Reads calls in the order of their ends. A sync covers what had ended when it began."""
        begun = {}
        for line in lines:
            process, text = LINE.match(line.rstrip("\n")).groups()
            start = len(self.operations)
            if text.endswith(" <unfinished ...>"):
                begun[process] = text[:-len(" <unfinished ...>")], start
                continue
            if text.startswith("<... "):
                first, start = begun.pop(process, ("", start))
                text = first + text[text.index(" resumed>") + len(" resumed>"):]
            call = CALL.match(text)
            if call and int(call.group(3)) >= 0:
                self.follow(call.group(1), arguments_of(call.group(2)), int(call.group(3)), start)

    # Paths

    def inside(self, path):
        """Returns a path counted from the folder, or None outside of it."""
        path = os.path.normpath(path)
        if path == self.folder:
            return ""
        return path[len(self.folder) + 1:] if path.startswith(self.folder + "/") else None

    def path(self, folder, name):
        """Returns the path of a name that is relative to a folder's descriptor."""
        name = os.fsdecode(decoded(name.strip('"')))
        where = DESCRIPTOR.match(folder).group(2) if folder else None
        where = os.fsdecode(decoded(where)) if where else self.folder
        return self.inside(os.path.join(where, name))

    def opened(self, argument):
        """Returns the path and the inode of a descriptor, (None, None) outside of the folder."""
        number, path, is_gone = DESCRIPTOR.match(argument).groups()
        path = self.inside(os.fsdecode(decoded(path))) if path else None
        if path is None:
            return None, None
        # A file that lost its name is the one that had it last.
        inode = self.last.get(path) if is_gone else self.disk.find(path)
        if inode is None:
            raise RecordingError("a descriptor of an unknown file: %s" % path)
        return path, inode

    # Calls

    def follow(self, name, words, answer, start):
        """Adds the operations of a call that succeeded."""
        at = name.endswith("at") and name != "creat" or name == "renameat2"
        if name in ("open", "openat", "creat"):
            self.follow_open(self.path(words[0] if at else None, words[at]), words, at)
        elif name in ("rename", "renameat", "renameat2", "link", "linkat"):
            old = self.path(words[0] if at else None, words[at])
            new = self.path(words[2] if at else None, words[3 if at else 1])
            self.follow_rename(name, old, new)
        elif name in ("unlink", "unlinkat", "rmdir"):
            path = self.path(words[0] if at else None, words[at])
            if path is not None:
                self.add_names("remove %s" % path, [(path, None)])
        elif name in ("mkdir", "mkdirat"):
            path = self.path(words[0] if at else None, words[at])
            if path is not None:
                self.add_names("create folder %s" % path,
                               [(path, self.disk.add(True, int(words[at + 1], 8) & ~0o022))])
        elif name in ("write", "pwrite64", "writev", "pwritev", "pwritev2"):
            self.follow_write(name, words, answer)
        elif name in ("fchmod", "chmod", "fchmodat", "ftruncate", "truncate", "fallocate"):
            self.follow_attribute(name, words, at)
        elif name in ("copy_file_range", "sendfile") or name == "ioctl" and FICLONE in words[1]:
            self.follow_copy(name, words, answer)
        elif name in ("fsync", "fdatasync"):
            path, inode = self.opened(words[0])
            if path is not None:
                self.add("sync", "sync %s" % (path or "the store's folder"), inode, upto=start)
        elif name == "lseek":
            self.places[self.opened(words[0])[0]] = answer
        elif name in ("symlink", "symlinkat", "fsetxattr", "setxattr"):
            raise RecordingError("%s isn't part of the model" % name)

    def add(self, kind, text, inode=None, **fields):
        if kind in ("write", "size") and text.split(" ")[-1].endswith("-shm"):
            # Without what is written through the mapping, the rest says nothing.
            return
        operation = disk.Operation(kind, text, inode, **fields)
        self.disk.apply(operation)
        self.operations.append(operation)

    def add_names(self, text, changes):
        halves = []
        for path, inode in changes:
            folder, name = self.disk.folder_of(path)
            self.last[path] = self.disk.find(path) if inode is None else inode
            halves.append((folder, name, inode))
        self.add("name", text, halves=halves)

    def follow_open(self, path, words, at):
        flags = words[at + 1] if len(words) > at + 1 else "O_CREAT|O_TRUNC"
        if path is None:
            if "O_CREAT" in flags and '"\\x2f\\x64\\x65\\x76' not in words[at]:
                self.outside(os.fsdecode(decoded(words[at].strip('"'))))
            return
        inode = self.disk.find(path)
        if inode is None and "O_CREAT" in flags:
            mode = int(words[at + 2], 8) & ~0o022
            self.add_names("create %s" % path, [(path, self.disk.add(False, mode))])
        elif inode is not None and "O_TRUNC" in flags and self.disk.inodes[inode].data:
            self.add("size", "truncate %s" % path, inode, size=0)
        self.places[path] = 0

    def outside(self, path):
        """Refuses a change outside of the folder, other than in the folder for temporary files."""
        if not os.path.join(self.folder, path).startswith((self.temporary + "/", self.home + "/")):
            raise RecordingError("the run changes '%s', which is outside of the store's folder" % path)

    @property
    def temporary(self):
        return os.path.join(os.path.dirname(self.folder), "tmp")

    @property
    def home(self):
        return os.path.join(os.path.dirname(os.path.dirname(self.folder)), "home")

    def follow_rename(self, name, old, new):
        if old is None or new is None:
            if old is not None or new is not None:
                raise RecordingError("a name leaves or enters the folder: %s, %s" % (old, new))
            return
        inode = self.disk.find(old)
        if name.startswith("link"):
            self.add_names("link %s to %s" % (old, new), [(new, inode)])
        else:
            self.add_names("rename %s to %s" % (old, new), [(new, inode), (old, None)])

    def follow_write(self, name, words, answer):
        path, inode = self.opened(words[0])
        if path is None:
            return
        if "..." in words[1]:
            raise RecordingError("a write to %s is longer than %d bytes" % (path, LONGEST))
        if "v" in name:
            data = b"".join(decoded(part) for part in VECTOR.findall(words[1]))
        else:
            data = decoded(words[1].strip('"'))
        data = data[:answer]
        if name.startswith("pwrite"):
            offset = int(words[3])
        else:
            offset = self.places.get(path, 0)
            self.places[path] = offset + len(data)
        self.add("write", "write %d bytes at %d to %s" % (len(data), offset, path), inode, offset=offset, data=data)

    def follow_attribute(self, name, words, at):
        if name.startswith("f") and not at:
            path, inode = self.opened(words[0])
        else:
            path = self.path(words[0] if at else None, words[at])
            inode = None if path is None else self.disk.find(path)
        if path is None:
            return
        if "chmod" in name:
            mode = int(words[at + 1], 8)
            if mode != self.disk.inodes[inode].mode:
                self.add("mode", "set mode %o of %s" % (mode, path), inode, mode=mode)
            return
        size = int(words[1])
        if name == "fallocate":
            size = max(len(self.disk.inodes[inode].data), int(words[2]) + int(words[3]))
        if size != len(self.disk.inodes[inode].data):
            self.add("size", "set the length %d of %s" % (size, path), inode, size=size)

    def follow_copy(self, name, words, count):
        """Follows a copy in the kernel, from the source as the model has it."""
        def number(word):
            return int(word.strip("[]").split(" ")[0])

        if name == "copy_file_range":
            source, start, target, offset = words[0], number(words[1]), words[2], number(words[3])
        elif name == "ioctl":
            target, source, start, offset, count = words[0], words[2], 0, 0, None
        else:
            raise RecordingError("sendfile isn't part of the model")
        path, inode = self.opened(target)
        if path is None or not count and name != "ioctl":
            return
        data = self.disk.inodes[self.opened(source)[1]].data[start:][:count]
        self.add("write", "copy %d bytes to %s" % (len(data), path), inode, offset=offset, data=data)

    # The result

    def check(self):
        """Requires that the operations lead to what is in the folder, and learns new files' inode numbers."""
        found = disk.Disk()
        found.read(self.folder)
        real = {path: (inode, data) for path, inode, _, data in found.tree()}
        told = {path: (inode, data) for path, inode, _, data in self.disk.tree()}
        for path in sorted(set(real) ^ set(told)):
            raise RecordingError("%s is only in %s" % (path, "the folder" if path in real else "the recording"))
        places = {inode: number for number, inode in found.numbers.items()}
        for path, (inode, data) in told.items():
            self.disk.numbers[places[real[path][0]]] = inode
            if path.endswith("-shm"):
                # Its mapping was written to. Later runs find these bytes.
                self.disk.inodes[inode].data = real[path][1]
            elif data != real[path][1]:
                raise RecordingError("%s has other bytes than were recorded" % path)
