"""Judges what a loss of power left: SQLite reads the store, and the tool completes, repeats and undoes the run."""
import hashlib
import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess

import contents
import disk

TIME = re.compile(r"\d{8}T\d{6}Z(-\d+)?")
LOST_LOG = "is missing, and it contains newer rows"
RECEIPT = re.compile(rb'"(?:state|kind|undone_is_obsolete)": [^,]*')


def run(words, folder, temporary):
    """Runs a program with its own folder for temporary files."""
    return subprocess.run(words, cwd=folder, env=environment(temporary), capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=120)


def environment(temporary):
    """Returns the environment of a run. Its home is for the caches of the libraries that deliver."""
    return {"PATH": os.environ["PATH"], "HOME": os.path.join(os.path.dirname(os.path.dirname(temporary)), "home"),
            "TMPDIR": temporary, "NO_COLOR": "1"}


def said(ending):
    """Returns a run's status and its error, on one line."""
    return "exit %d, %s" % (ending.returncode, " ".join(ending.stderr.decode("utf-8", "replace").split())[:300])


class Expected:
    """What holds before and after the command, and after going back, for one possible state before it.

    Each of `old`, `new` and `back` has the rows' digest of each store; `old_modes`, `modes` and `back_modes` have the
    journal modes; `values` has the large values of each store before and after it.
    """

    def __init__(self, old, new, back, values, old_modes, modes, back_modes):
        self.old, self.new, self.back, self.values = old, new, back, values
        self.old_modes, self.modes, self.back_modes = old_modes, modes, back_modes


def add_new(problems, more):
    problems += [problem for problem in more if problem not in problems]


class Known:
    """What was found out already: the rows of files, and the outcomes of later runs."""

    def __init__(self):
        self.facts, self.fresh = {}, []

    def find(self, key, find):
        """Returns what is known, or finds it out."""
        if key not in self.facts:
            self.facts[key] = find()
            self.fresh.append((key, self.facts[key]))
        return self.facts[key]

    def learned(self):
        """Returns what was found out since the last call."""
        fresh, self.fresh = self.fresh, []
        return fresh

    def learn(self, facts):
        self.facts.update(facts)


class Judge:
    """Judges the states of one scenario, in folders of its own."""

    def __init__(self, scenario, tool, expected, volatile, known, bench):
        self.scenario, self.tool, self.expected, self.volatile = scenario, tool, expected, volatile
        self.known, self.bench = known, bench
        self.folder, self.temporary = os.path.join(bench, "store"), os.path.join(bench, "tmp")

    def run(self, *words):
        return run([self.tool, *words], self.folder, self.temporary)

    def digest(self, store):
        """Returns the digest of a store's rows, or a sentence why SQLite can't read them."""
        key = [store]
        for ending in ("",) + contents.BESIDE:
            try:
                with open(os.path.join(self.folder, store + ending), "rb") as file:
                    key.append(file.read())
            except FileNotFoundError:
                key.append(None)
        return self.known.find(hashlib.sha256(repr(key).encode()).digest(), lambda: self.read(store))

    def read(self, store):
        try:
            return contents.rows_of(self.folder, store, os.path.join(self.bench, "look")).digest(self.volatile)
        except (sqlite3.Error, OSError) as error:
            return "SQLite can't read it: %s" % error

    def place(self, tree, numbers):
        """Makes a tree in an empty folder."""
        for folder in (self.folder, self.temporary):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        disk.make(tree, self.folder, numbers)

    def judge(self, tree, numbers, is_over):
        """Returns the problems of a state, and the remains that `status` finds.

        With `is_over`, the command had ended before the loss of power: its result must be there.
        """
        self.place(tree, numbers)
        problems = []
        remains = []
        try:
            if self.scenario.output:
                self.judge_output(problems, is_over)
            else:
                self.judge_stores(problems, remains, is_over, lambda: self.place(tree, numbers))
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            problems.append("can't be judged: %s" % error)
        if os.listdir(self.temporary):
            problems.append("a run leaves temporary files: %s" % os.listdir(self.temporary))
        if sorted(os.listdir(self.bench)) != ["store", "tmp"]:
            problems.append("a run changes something outside of the store's folder: %s" % os.listdir(self.bench))
        return problems, remains

    # Stores

    def judge_stores(self, problems, remains, is_over, place):
        found = [self.digest(store) for store in self.scenario.stores]
        expected = next((entry for entry in self.expected if all(
            digest in (old, new) or digest in self.scenario.between
            for digest, old, new in zip(found, entry.old, entry.new))), None)
        problems += ["stray file %s" % path for path in self.strays(False)]
        if expected is None:
            problems.append("the rows are neither the old nor the new ones: %s" % " ".join(
                digest if " " in digest else digest[:8] for digest in found))
            return
        is_new = [digest == new for digest, new in zip(found, expected.new)]
        if is_over and not all(is_new):
            problems.append("the command had succeeded, and its result is gone")
        self.judge_values(problems, expected, is_new)
        self.judge_kept(problems)
        if self.scenario.unsynced and self.is_log_lost():
            place = self.after_advice(problems, place)
        self.judge_reading(problems, remains)
        # What is healed must not depend on which command comes next.
        does_repeat = not all(is_new) or self.scenario.is_repeatable
        if self.judge_healing(problems, found, expected, all(is_new)):
            # Most states are the same one after it.
            add_new(problems, self.known.find(
                ("then", self.shape(), does_repeat), lambda: self.judge_next(expected, does_repeat)))
        if does_repeat:
            place()
            add_new(problems, self.judge_next(expected, True))

    def is_log_lost(self):
        """Returns whether the index of a log is there, but not the log, which the app hadn't synced."""
        store = os.path.join(self.folder, self.scenario.stores[0])
        return os.path.exists(store + "-shm") and not os.path.exists(store + "-wal") and \
            LOST_LOG in said(self.run("status", self.scenario.stores[0]))

    def after_advice(self, problems, place):
        """Requires that all commands refuse a store whose log is lost; then follows their advice.

        Rows were lost before the tool ran. It can't know whether somebody has the log, so it asks.
        """
        before = self.fingerprint()
        for words in (["snapshot", "prune", self.scenario.stores[0], "--keep", "99"], self.scenario.command):
            ending = self.run(*words)
            if ending.returncode != 4 or LOST_LOG not in said(ending):
                problems.append("a store without its log isn't refused: %s" % said(ending))
        if self.fingerprint() != before:
            problems.append("a refused command changes something")

        def place_without_index():
            place()
            os.remove(os.path.join(self.folder, self.scenario.stores[0] + "-shm"))

        place_without_index()
        return place_without_index

    def strays(self, is_settled):
        return contents.stray_files(contents.paths_in(self.folder), self.scenario.stores, self.scenario.inputs,
                           lambda path: os.path.getsize(os.path.join(self.folder, path)), is_settled)

    def judge_values(self, problems, expected, is_new, is_settled=False):
        """Requires the large values: those of the old store, or of the new one."""
        for store, (old, new), is_there in zip(self.scenario.stores, expected.values, is_new):
            found = contents.large_values(self.folder, store)
            needed = new if is_there else old
            for name in needed:
                if found.get(name) != needed[name]:
                    problems.append("the large value %s %s" % (name, "differs" if name in found else "is missing"))
            for name in set(found) - set(needed):
                if found[name] != new.get(name) and found[name] != old.get(name) and (
                        is_settled or not name.endswith(".new")):
                    problems.append("a large value that isn't one: %s" % name)

    def judge_kept(self, problems):
        """Requires that a file's bytes are there, under one of its names."""
        def has_bytes(name):
            try:
                with open(os.path.join(self.folder, name), "rb") as file:
                    return file.read() == self.scenario.kept_bytes
            except FileNotFoundError:
                return False

        if self.scenario.kept and not any(map(has_bytes, self.scenario.kept)):
            problems.append("nothing has the bytes of %s" % self.scenario.kept[0])

    def judge_reading(self, problems, remains):
        """Requires that reading commands work and change nothing, and that what counts is sound."""
        before = self.fingerprint()
        for store in self.scenario.stores:
            status = self.run("status", store, "--json", "--no-count")
            is_hot = os.path.exists(os.path.join(self.folder, store + "-journal"))
            if status.returncode == 0:
                remains += json.loads(status.stdout)["remains"]
            elif not is_hot:
                problems.append("status fails: %s" % said(status))
            listing = self.run("snapshot", "list", store, "--check", "--json")
            # 6: a snapshot isn't what its receipt says.
            if listing.returncode not in (0, 6):
                problems.append("snapshot list fails: %s" % said(listing))
            else:
                problems += ["snapshot %s says %s and isn't sound: %s" % (
                    entry["name"], entry["state"], entry["problem"])
                    for entry in json.loads(listing.stdout)["snapshots"]
                    if entry["state"] == "done" and not entry["sound"]]
        if self.fingerprint() != before:
            problems.append("reading changes something")

    def fingerprint(self):
        found = []
        for path in contents.paths_in(self.folder):
            status = os.lstat(os.path.join(self.folder, path))
            # SQLite gives an empty log its store's mode when it opens it (`robust_open` in os_unix.c).
            mode = None if path.endswith("-wal") and status.st_size == 0 else status.st_mode
            found.append((path, status.st_ino, status.st_size, status.st_mtime_ns, mode))
        return found

    def shape(self):
        """Returns everything in the folder on which the outcome of later runs depends.

        Times, and numbers that no two runs write equally, aren't part of it.
        """
        folders, inodes, found = {}, {}, []
        for path in contents.paths_in(self.folder):
            full = os.path.join(self.folder, path)
            masked = TIME.sub(lambda match: str(folders.setdefault(match.group(), len(folders))), path)
            status = os.lstat(full)
            if not stat.S_ISREG(status.st_mode):
                found.append((masked, status.st_mode))
                continue
            with open(full, "rb") as file:
                data = file.read()
            name = os.path.basename(path)
            if name.startswith("receipt.json"):
                data = b"".join(RECEIPT.findall(data))
            elif name in self.scenario.stores + ("edited",) and self.volatile:
                data = b""
            inode = inodes.setdefault(status.st_ino, len(inodes))
            found.append((masked, status.st_mode, inode, hashlib.sha256(data).digest()))
        return repr((found, [self.digest(store) for store in self.scenario.stores]))

    def judge_healing(self, problems, found, expected, is_new):
        """Requires that a run with nothing else to do heals the state; returns whether it succeeds."""
        for store in self.scenario.stores:
            ending = self.run("snapshot", "prune", store, "--keep", "99")
            if ending.returncode != 0:
                problems.append("healing fails: %s" % said(ending))
                return False
        if [self.digest(store) for store in self.scenario.stores] != found:
            problems.append("healing changes rows")
        modes = contents.journal_modes(self.folder, self.scenario.stores)
        if modes not in (expected.old_modes, expected.modes) or is_new and modes != expected.modes:
            problems.append("healing leaves another journal mode")
        problems += self.known.find(("healed", self.shape()), lambda: self.left("healing", contents.BESIDE))
        return True

    def left(self, what, allowed=()):
        """Returns sentences about what a run leaves that it shouldn't."""
        found = ["%s leaves %s" % (what, path) for path in self.strays(True) if not path.endswith(allowed)]
        for store in self.scenario.stores:
            status = self.run("status", store, "--json", "--no-count")
            remains = json.loads(status.stdout)["remains"] if status.returncode == 0 else [said(status)]
            found += ["after %s, status says: %s" % (what, remain) for remain in remains]
        return found

    def judge_next(self, expected, does_repeat):
        """Returns what is wrong with the next run: it must succeed, make the new store, and can be undone."""
        if does_repeat:
            ending = self.run(*self.scenario.command)
            if ending.returncode != 0:
                return ["the next run fails: %s" % said(ending)]
        return self.known.find(("next", self.shape()), lambda: self.judge_result(expected))

    def judge_result(self, expected):
        """Returns what is wrong after the command: it must have its result, leave nothing, and can be undone."""
        problems = []
        found = [self.digest(store) for store in self.scenario.stores]
        if not self.is_equal(found, expected.new):
            problems.append("the next run makes other rows: %s" % " ".join(
                digest if " " in digest else digest[:8] for digest in found))
        if contents.journal_modes(self.folder, self.scenario.stores) != expected.modes:
            problems.append("the next run leaves another journal mode")
        self.judge_values(problems, expected, [True] * len(found), is_settled=True)
        # A delivery edits the store in place, as an app does.
        problems += self.left("the next run", contents.BESIDE if self.scenario.server else ())
        if expected.back:
            ending = self.run(*self.scenario.back)
            if ending.returncode != 0:
                problems.append("going back fails: %s" % said(ending))
            elif not self.is_equal([self.digest(self.scenario.stores[0])], expected.back):
                problems.append("going back gives other rows")
            elif contents.journal_modes(self.folder, self.scenario.stores[:1]) != expected.back_modes:
                problems.append("going back gives another journal mode")
            else:
                problems += ["going back leaves %s" % path for path in self.strays(True)]
        return problems

    def is_equal(self, found, expected):
        """Returns whether rows are as expected; a repeated delivery counts attempts that others don't make."""
        return found == expected or self.scenario.server and not any(" " in digest for digest in found)

    # Files that a command writes

    def judge_output(self, problems, is_over):
        """Requires that the written file is whole or isn't there, and that the command can be repeated."""
        path = os.path.join(self.folder, self.scenario.output)
        problem = self.scenario.problem_of(path) if os.path.exists(path) else None
        if problem:
            problems.append("%s: %s" % (self.scenario.output, problem))
        if is_over and not os.path.exists(path):
            problems.append("the command had succeeded, and its file is gone")
        self.judge_drafts(problems, False)
        if problem or not os.path.exists(path):
            ending = self.run(*self.scenario.command)
            if ending.returncode != 0:
                problems.append("the command can't be repeated: %s" % said(ending))
            self.judge_drafts(problems, True)

    def judge_drafts(self, problems, is_settled):
        """Requires that nothing is beside the file but a draft of it, which the next run removes."""
        output = self.scenario.output
        allowed = set(self.scenario.inputs) | {output, output + "-wal"}
        problems += ["stray file %s" % name for name in sorted(os.listdir(self.folder))
                     if name not in allowed and (is_settled or not name.startswith(output))]
