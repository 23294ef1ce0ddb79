"""Files and folders as a disk has them: trees of names, and the operations that change them."""
import os
import re
import stat

ROOT = 0
# An inode number that no file has.
NOBODY = 1 << 60


class Inode:
    """A file or folder. A file has bytes, a folder has names."""

    def __init__(self, number, is_folder, mode, data=b""):
        self.number, self.is_folder, self.mode, self.data = number, is_folder, mode, data
        self.created_mode = mode
        self.names = {}


class Operation:
    """One change of a disk, or one sync.

    `kind` is "name", "write", "size", "mode" or "sync".
    - name: `halves` has (folder, name, inode or None for a removal), one for each name that changes.
    - write: `data` at `offset`; size: `size`; mode: `mode`.
    - sync: everything before the operation `upto` that concerns the inode is on the disk afterwards.
    `text` describes it, with paths below the root.
    """

    def __init__(self, kind, text, inode=None, **fields):
        self.kind, self.text, self.inode = kind, text, inode
        self.__dict__.update(fields)


def patched(data, operation):
    """Returns a file's bytes after an operation."""
    if operation.kind == "size":
        return data[:operation.size].ljust(operation.size, b"\0")
    end = operation.offset + len(operation.data)
    return data[:operation.offset].ljust(operation.offset, b"\0") + operation.data + data[end:]


class Disk:
    """What a process sees: every operation is applied at once.

    `numbers` maps the inode numbers of the real files that were recorded to those of the model.
    """

    def __init__(self):
        self.inodes = {ROOT: Inode(ROOT, True, 0o755)}
        self.numbers = {}

    def add(self, is_folder, mode):
        inode = Inode(len(self.inodes), is_folder, mode)
        self.inodes[inode.number] = inode
        return inode.number

    def folder_of(self, path):
        """Returns the number of the folder of a path below the root, and the last name; None without it."""
        *folders, name = path.split("/")
        number = ROOT
        for folder in folders:
            number = self.inodes[number].names.get(folder)
            if number is None:
                return None, name
        return number, name

    def find(self, path):
        """Returns the number of the inode at a path below the root, or None."""
        if path == "":
            return ROOT
        folder, name = self.folder_of(path)
        return None if folder is None else self.inodes[folder].names.get(name)

    def apply(self, operation):
        if operation.kind == "name":
            for folder, name, inode in operation.halves:
                if inode is None:
                    self.inodes[folder].names.pop(name, None)
                else:
                    self.inodes[folder].names[name] = inode
        elif operation.kind in ("write", "size"):
            inode = self.inodes[operation.inode]
            inode.data = patched(inode.data, operation)
        elif operation.kind == "mode":
            self.inodes[operation.inode].mode = operation.mode

    def tree(self):
        """Returns everything as a tree: see `tree_of`."""
        return tree_of(lambda folder: self.inodes[folder].names, self.inodes,
                       lambda inode: (self.inodes[inode].mode, self.inodes[inode].data))

    def read(self, folder):
        """Makes the disk equal to a real folder that was scanned for the first time."""
        self._read(folder, ROOT)

    def _read(self, folder, number):
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            status = os.lstat(path)
            known = self.numbers.get(status.st_ino)
            if known is None:
                known = self.add(stat.S_ISDIR(status.st_mode), stat.S_IMODE(status.st_mode))
                self.numbers[status.st_ino] = known
                if stat.S_ISDIR(status.st_mode):
                    self._read(path, known)
                else:
                    with open(path, "rb") as file:
                        self.inodes[known].data = file.read()
            self.inodes[number].names[name] = known


def tree_of(names, inodes, content):
    """Returns a tree: a tuple of (path, inode, mode, bytes or None for a folder), folders before their content."""
    entries = []

    def walk(folder, prefix):
        for name, inode in sorted(names(folder).items()):
            mode, data = content(inode)
            if inodes[inode].is_folder:
                entries.append((prefix + name, inode, mode, None))
                walk(inode, prefix + name + "/")
            else:
                entries.append((prefix + name, inode, mode, data))

    walk(ROOT, "")
    return tuple(entries)


INODE = re.compile(rb'"inode": "(\d+)"')


def make(tree, folder, numbers):
    """Makes a tree in an empty real folder.

    A receipt identifies files by their inode numbers. `numbers` maps those that were recorded to the model's;
    each becomes the number of the new file, or one that no file has.
    """
    real, first, receipts, modes = {}, {}, [], []
    for path, inode, mode, data in tree:
        full = os.path.join(folder, path)
        if data is None:
            os.mkdir(full, 0o700)
            modes.append((full, mode))
        elif inode in first:
            os.link(first[inode], full)
        else:
            with open(full, "xb") as file:
                file.write(data)
                os.fchmod(file.fileno(), mode)
                real[inode] = os.fstat(file.fileno()).st_ino
            first[inode] = full
            if os.path.basename(path).startswith("receipt.json"):
                receipts.append((full, data))

    def identify(match):
        return b'"inode": "%d"' % real.get(numbers.get(int(match.group(1))), NOBODY)

    for full, data in receipts:
        named = INODE.sub(identify, data)
        if named != data:
            with open(full, "wb") as file:
                file.write(named)
    for full, mode in modes:
        os.chmod(full, mode)
