"""Enumerates the states that a loss of power can leave, after each operation of a recorded run.

Three models of a file system:

- weak: any name that wasn't synced may be as before, and so may any sector of a file, its length, and its mode.
  A rename is done or not done. This is the assumption of Documentation/Durability.md.
- split: as weak, and of a rename into another folder each of the two names may be as before. It is beyond that
  assumption.
- ordered: names change in the order of the calls, and those of the last calls may be lost. The bytes of each file
  are written in order, independently of other files and of names.

A point is the number of operations that were done. If few combinations are possible at a point, all are tried;
otherwise nothing lost, everything lost, each loss alone, each loss but one, pairs of losses, and random ones.
"""
import itertools
import random

import disk

SECTOR = 512
# Combinations at one point up to which all are tried, and how many pairs and random ones otherwise.
FEW, PAIRS, RANDOM = 48, 24, 12


class Variants:
    """The bytes that a file may have after a loss of power, each with words; the first are the newest."""

    def __init__(self, base, pending, random_, most=10):
        self.images, self.words = [], []
        current = base
        prefixes = []
        for operation in pending:
            current = disk.patched(current, operation)
            prefixes.append(current)
        self.add(current, "")
        self.add(base, "as before")
        if not base.strip(b"\0"):
            self.add(bytes(len(current)), "only its length")
        elif len(base) < len(current):
            self.add(current[:len(base)], "its old length")
            self.add(base.ljust(len(current), b"\0"), "only its length")
        elif len(base) > len(current):
            self.add(current + base[len(current):], "its old length")
        self.add_torn(base, current, random_)
        for place in spread(len(prefixes) - 1, 4):
            self.add(prefixes[place], "its first %d writes" % (place + 1))
        for place in spread(len(pending) if len(pending) > 1 else 0, 4):
            image = base
            for other, operation in enumerate(pending):
                image = disk.patched(image, operation) if other != place else image
            self.add(image, "without write %d" % (place + 1))
        del self.images[most:], self.words[most:]

    def add(self, image, words):
        if image not in self.images:
            self.images.append(image)
            self.words.append(words)

    def add_torn(self, base, current, random_):
        """Adds images with some of the sectors that differ."""
        old = base[:len(current)].ljust(len(current), b"\0")
        changed = [place for place in range(0, len(current), SECTOR)
                   if old[place:place + SECTOR] != current[place:place + SECTOR]]
        if len(changed) < 2:
            return
        middle = changed[len(changed) // 2]
        self.add(current[:middle] + old[middle:], "the first half of its sectors")
        self.add(old[:middle] + current[middle:], "the second half of its sectors")
        image = bytearray(old)
        for place in changed:
            if random_.random() < 0.5:
                image[place:place + SECTOR] = current[place:place + SECTOR]
        self.add(bytes(image), "some of its sectors")


def spread(count, most):
    """Returns up to a number of places, spread over all."""
    return range(count) if count <= most else [count * place // most for place in range(most)]


class Name:
    """An operation on names that isn't synced, or only after an earlier one that isn't."""

    def __init__(self, index, operation, halves):
        self.index, self.operation, self.halves, self.is_synced = index, operation, halves, False


class Pending:
    """What is on the disk for sure after some operations, and what may be."""

    def __init__(self, recording, is_split):
        self.names = {folder: dict(names) for folder, names in recording.names.items()}
        self.images, self.modes = dict(recording.images), dict(recording.modes)
        self.inodes, self.is_split = recording.disk.inodes, is_split
        self.later_names, self.later_bytes, self.later_modes = [], {}, {}
        self.whole = set(self.images.values())

    def feed(self, index, operation):
        if operation.kind == "name":
            is_split = self.is_split and len({folder for folder, _, _ in operation.halves}) > 1
            groups = [[half] for half in operation.halves] if is_split else [operation.halves]
            self.later_names += [Name(index, operation, group) for group in groups]
            # A new file begins without bytes, with the mode that it was created with.
            for _, _, inode in operation.halves:
                if inode is not None and inode not in self.modes:
                    self.modes[inode], self.images[inode] = self.inodes[inode].created_mode, b""
                    self.names.setdefault(inode, {})
        elif operation.kind in ("write", "size"):
            self.later_bytes.setdefault(operation.inode, []).append((index, operation))
        elif operation.kind == "mode":
            self.later_modes.setdefault(operation.inode, []).append((index, operation))
        else:
            self.synchronize(operation)

    def synchronize(self, operation):
        inode = operation.inode
        for name in self.later_names:
            # Of a rename, the sync of the folder with the new name counts.
            if name.index < operation.upto and name.halves[0][0] == inode:
                name.is_synced = True
        while self.later_names and self.later_names[0].is_synced:
            change(self.names, self.later_names.pop(0))
        for later, kept in ((self.later_bytes, self.images), (self.later_modes, self.modes)):
            waiting = later.get(inode, [])
            while waiting and waiting[0][0] < operation.upto:
                change_ = waiting.pop(0)[1]
                kept[inode] = change_.mode if change_.kind == "mode" else disk.patched(kept[inode], change_)
            if not waiting:
                later.pop(inode, None)
        if inode in self.images:
            self.whole.add(self.images[inode])

    def open_files(self):
        """Returns the files whose bytes, and those whose modes, aren't synced, if they can still have a name."""
        named = {inode for names in self.names.values() for inode in names.values()}
        named |= {inode for name in self.later_names for _, _, inode in name.halves}
        return sorted(named & set(self.later_bytes)), sorted(named & set(self.later_modes))

    def tree(self, lost, images, modes):
        """Returns the tree without some of the names that may be lost, with other bytes and modes."""
        names = self.names
        if self.later_names:
            names = {folder: dict(names) for folder, names in self.names.items()}
            for name in self.later_names:
                if name not in lost:
                    change(names, name)
        return disk.tree_of(
            lambda folder: names.get(folder, {}), self.inodes,
            lambda inode: (modes.get(inode, self.modes[inode]), images.get(inode, self.images.get(inode, b""))))


def change(names, name):
    for folder, text, inode in name.halves:
        if inode is None:
            names.setdefault(folder, {}).pop(text, None)
        else:
            names.setdefault(folder, {})[text] = inode


class State:
    """A tree that a loss of power can leave. `label` names it, `words` describe it."""

    def __init__(self, model, point, number, tree, words):
        self.model, self.point, self.tree, self.words = model, point, tree, words
        self.label = "%s/%d/%d" % (model, point, number)


def states(recording, seed, models=("weak", "split", "ordered")):
    """Yields the states of a recording, model by model, with repetitions."""
    for model in models:
        pending = Pending(recording, model == "split")
        for point in range(len(recording.operations) + 1):
            if point:
                pending.feed(point - 1, recording.operations[point - 1])
            random_ = random.Random("%s %s %d" % (seed, model, point))
            explore = ordered if model == "ordered" else weak
            for number, (tree, words) in enumerate(explore(pending, random_)):
                yield State(model, point, number, tree, words), pending.whole


def weak(pending, random_):
    """Yields trees and words for combinations of what may be lost."""
    files, modes = pending.open_files()
    variants = [Variants(pending.images[inode], [entry[1] for entry in pending.later_bytes[inode]], random_)
                for inode in files]
    names = [name for name in pending.later_names if not name.is_synced]
    sizes = [2] * len(names) + [len(variant.images) for variant in variants] + [2] * len(modes)
    for choice in choices(sizes, random_):
        lost = [name for name, place in zip(names, choice) if place]
        picked = choice[len(names):]
        images = {inode: variant.images[place] for inode, variant, place in zip(files, variants, picked)}
        newest = {inode: pending.later_modes[inode][-1][1].mode
                  for inode, place in zip(modes, picked[len(files):]) if not place}
        yield pending.tree(lost, images, newest), (
            [lost_words(name) for name in lost]
            + ["%s: %s" % (name_of(pending, inode), variant.words[place])
               for inode, variant, place in zip(files, variants, picked) if place]
            + ["mode of %s as before" % name_of(pending, inode)
               for inode, place in zip(modes, picked[len(files):]) if place])


def lost_words(name):
    text = "lost: " + name.operation.text
    if len(name.halves) < len(name.operation.halves):
        text += " (only that %s)" % ("the old name goes" if name.halves[0][2] is None else "the new name comes")
    return text


def name_of(pending, inode):
    """Returns words for a file, from the last operation on it that isn't synced."""
    waiting = pending.later_bytes.get(inode) or pending.later_modes.get(inode)
    return waiting[-1][1].text.split(" to ")[-1] if waiting else "inode %d" % inode


def choices(sizes, random_):
    """Yields which variant each part has: 0 is the newest, 1 as before."""
    total = 1
    for size in sizes:
        total *= size
    if total <= FEW:
        yield from itertools.product(*(range(size) for size in sizes))
        return
    parts = range(len(sizes))
    newest, oldest = (0,) * len(sizes), tuple(min(1, size - 1) for size in sizes)
    yield newest
    yield oldest
    for part in parts:
        for variant in range(1, sizes[part]):
            yield newest[:part] + (variant,) + newest[part + 1:]
        yield oldest[:part] + (0,) + oldest[part + 1:]
    pairs = list(itertools.combinations([part for part in parts if sizes[part] > 1], 2))
    for one, other in random_.sample(pairs, min(len(pairs), PAIRS)):
        yield tuple(oldest[part] if part in (one, other) else 0 for part in parts)
    for _ in range(RANDOM):
        yield tuple(random_.randrange(size) for size in sizes)


def ordered(pending, random_):
    """Yields trees and words in which the last changes of names are lost, and the last bytes of files."""
    names = pending.later_names
    first = max((place + 1 for place, name in enumerate(names) if name.is_synced), default=0)
    files, _ = pending.open_files()
    modes = {inode: waiting[-1][1].mode for inode, waiting in pending.later_modes.items()}
    newest, oldest, half = {}, {}, {}
    for inode in files:
        operations = [entry[1] for entry in pending.later_bytes[inode]]
        image = oldest[inode] = pending.images[inode]
        for place, operation in enumerate(operations):
            if place == len(operations) // 2:
                half[inode] = image
            image = disk.patched(image, operation)
        newest[inode] = image
    combinations = [(newest, "")]
    if files:
        combinations.append((oldest, "no bytes since the last sync"))
        combinations.append((half, "half of the writes"))
    if len(files) > 1:
        combinations += [({**newest, inode: oldest[inode]}, "%s: as before" % name_of(pending, inode))
                         for inode in spread_list(files, 6)]
    for cut in range(first, len(names) + 1):
        for images, words in combinations:
            yield pending.tree(names[cut:], images, modes), (
                [lost_words(name) for name in names[cut:]] + ([words] if words else []))


def spread_list(entries, most):
    return [entries[place] for place in spread(len(entries), most)]


def normal(tree, whole):
    """Returns what is judged once: of a file that the next run discards, only whether it is whole.

    These are drafts, and a work file that no receipt names: their bytes don't matter to anything.
    """
    receipts = {path[:-len("receipt.json")] for path, _, _, _ in tree if path.endswith("/receipt.json")}
    entries = []
    for path, inode, mode, data in tree:
        folder, _, name = path.rpartition("/")
        is_work = ".snapshots/" in path and (name.startswith("work") or name == "edited-journal")
        if data and (name.endswith(".new") or is_work and folder + "/" not in receipts):
            data = b"whole" if data in whole else b"torn"
        entries.append((path, inode, mode, data))
    return tuple(entries)
