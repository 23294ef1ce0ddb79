"""Explores one scenario: prepares and records it, enumerates the states and has each judged."""
import copy
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys

import contents
import disk
import judge
import recording as recordings
import scenarios
import states

MODELS = ("weak", "split", "ordered")


class Failure:
    """A state with problems."""

    def __init__(self, name, state, recording, problems):
        self.kind = re.sub(r"\d{8}T\d{6}Z(-\d+)?|[0-9a-f]{8}", "", repr(sorted(problems)))
        done = recording.operations[state.point - 1].text if state.point else "nothing"
        following = (recording.operations[state.point].text if state.point < len(recording.operations) else "the end")
        self.name, self.problems = name, problems
        self.text = "%s\n    after %s, before %s%s\n%s" % (
            name, done, following, "".join("\n    " + words for words in state.words),
            "\n".join("    * " + problem for problem in problems))


class Exploration:
    """One scenario, with everything that is known about it."""

    def __init__(self, scenario, options, work):
        self.scenario, self.options = copy.copy(scenario), options
        self.scenario.between = set()
        self.tool = options.tool
        self.work = os.path.join(work, scenario.name)
        self.bench = os.path.join(self.work, "recording")
        self.seen, self.counts = set(), {}
        self.remains, self.known = {}, judge.Known()
        self.judged, self.server = 0, None
        # By process: each judges in a folder of its own.
        self.judges = {}

    # Preparation

    def prepare(self):
        """Makes the folder, and finds out what the command does in it."""
        folder, temporary = (os.path.join(self.bench, name) for name in ("store", "tmp"))
        for path in (folder, temporary, os.path.join(self.work, "home")):
            os.makedirs(path)
        made = scenarios.Folder(self.tool, folder, temporary)
        self.scenario.prepare(made)
        if self.scenario.server:
            self.start_server()
        self.scenario.command = [self.filled(word, made) for word in self.scenario.command]
        if self.scenario.kept:
            with open(made.file(self.scenario.kept[0]), "rb") as file:
                self.scenario.kept_bytes = file.read()
        start = disk.Disk()
        start.read(folder)
        self.start = start
        self.volatile, self.expected = frozenset(), []
        self.trial = self.judge("trial")
        if not self.scenario.output:
            self.find_volatile()
            self.expected += [self.expect(tree) for tree in self.origins()]
            self.find_repeatable()

    def judge(self, name):
        """Returns a judge that works in a folder of its own."""
        return judge.Judge(self.scenario, self.tool, self.expected, self.volatile, self.known,
                           os.path.join(self.work, name))

    def filled(self, word, made):
        """Returns a word of the command; some are known only now."""
        if word == "URL":
            return self.url
        if word == "USER":
            return made.read("SELECT ZUSERID FROM ZSDOUTBOXEVENT LIMIT 1")
        return word

    def start_server(self):
        program = os.path.join(scenarios.TOP, "Tests/OutboxDeliveryTests/server.py")
        self.server = subprocess.Popen(
            [sys.executable, program, "--log", os.devnull], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.url = "http://127.0.0.1:%d" % int(self.server.stdout.readline())

    def origins(self):
        """Returns the trees before the command: without what the app hadn't synced, too."""
        tree = self.start.tree()
        lost = {store + ending for store in self.scenario.stores for ending in self.scenario.unsynced}
        return [tree] + ([tuple(entry for entry in tree if entry[0] not in lost)] if lost else [])

    def attempt(self, tree, *commands):
        """Runs commands on a tree; they must succeed."""
        self.trial.place(tree, self.start.numbers)
        for words in commands:
            self.require(words)

    def require(self, words):
        ending = self.trial.run(*words)
        if ending.returncode != 0:
            raise RuntimeError("%s: %s" % (" ".join(words), judge.said(ending)))

    def rows(self):
        return [contents.rows_of(self.trial.folder, store, os.path.join(self.trial.bench, "look"))
                for store in self.scenario.stores]

    def find_volatile(self):
        """Finds the columns that two runs write differently, such as times."""
        runs = []
        for _ in range(2):
            self.attempt(self.start.tree(), self.scenario.command)
            runs.append(self.rows())
        self.volatile = frozenset().union(*(one.differing(other) for one, other in zip(*runs)))
        self.trial = self.judge("trial")

    def digests(self):
        return [rows.digest(self.volatile) for rows in self.rows()]

    def values(self):
        return [contents.large_values(self.trial.folder, store) for store in self.scenario.stores]

    def expect(self, tree):
        """Finds out what the command makes of a tree, and what going back makes of that."""
        self.attempt(tree)
        old, before = self.digests(), self.values()
        old_modes = contents.journal_modes(self.trial.folder, self.scenario.stores)
        self.require(self.scenario.command)
        new, after = self.digests(), self.values()
        modes = contents.journal_modes(self.trial.folder, self.scenario.stores)
        back = back_modes = None
        if self.scenario.back:
            self.require(self.scenario.back)
            back = self.digests()[:1]
            back_modes = contents.journal_modes(self.trial.folder, self.scenario.stores[:1])
        return judge.Expected(old, new, back, list(zip(before, after)), old_modes, modes, back_modes)

    def find_repeatable(self):
        """Finds out whether the command changes nothing when it is run twice."""
        try:
            self.attempt(self.start.tree(), self.scenario.command, self.scenario.command)
            is_equal = self.digests() == self.expected[0].new
            if is_equal and self.scenario.back:
                self.require(self.scenario.back)
                is_equal = self.digests()[:1] == self.expected[0].back
            self.scenario.is_repeatable = is_equal
        except RuntimeError:
            self.scenario.is_repeatable = False

    # Recording

    def record(self):
        """Records the runs of the command that are killed, and the one that isn't."""
        recording = recordings.Recording(self.start)
        recorder = recordings.Recorder(os.path.join(self.bench, "store"), recording.disk, recording.operations)
        words = [self.tool, *self.scenario.command]
        for kill in self.scenario.kills:
            call, number = kill.split(":")
            ending = recorder.run(words, ["%s:signal=SIGKILL:when=%s" % (call, number)])
            if ending.returncode != -9:
                raise RuntimeError("the run isn't killed at %s" % kill)
        ending = recorder.run(words, self.scenario.faults)
        if ending.returncode != 0:
            raise RuntimeError("%s: %s" % (" ".join(self.scenario.command), judge.said(ending)))
        if self.scenario.unsynced:
            recording.forget(self.scenario.unsynced, self.scenario.stores[0])
        if self.scenario.server:
            self.find_between(recording)
        return recording

    def find_between(self, recording):
        """Adds the rows that the store has between two requests; a command that sends edits the store in place."""
        files = recording.first_disk()
        for operation in recording.operations:
            files.apply(operation)
            self.trial.place(files.tree(), files.numbers)
            self.scenario.between.add(self.trial.digest(self.scenario.stores[0]))
        self.scenario.between = {digest for digest in self.scenario.between if " " not in digest}

    # Judging

    def new_states(self, recording, limit, models):
        """Returns the states that weren't judged yet; if they are too many, some at random."""
        found = []
        for state, whole in states.states(recording, self.options.seed, models):
            key = hash(states.normal(state.tree, whole)), state.point == len(recording.operations)
            if key not in self.seen:
                self.seen.add(key)
                found.append(state)
        if limit is not None and len(found) > limit:
            found = sorted(random.Random(self.options.seed).sample(found, limit), key=lambda state: state.point)
        return found

    def state(self, recording, label):
        """Returns a state by its name."""
        for state, _ in states.states(recording, self.options.seed, (label.partition("/")[0],)):
            if state.label == label:
                return state
        raise RuntimeError("no state is named '%s'" % label)

    def sample(self, most):
        """Returns judged states whose recoveries are explored: some of each kind of remains."""
        return [found[len(found) * place // most] for _, found in sorted(self.remains.items())
                for place in range(min(most, len(found)))]

    def explore(self, recording, phase, limit=None, stops=None, models=MODELS):
        """Judges the new states of a recording, and returns those with problems.

        With `stops`, which takes a problem, states after the first such problem aren't judged.
        """
        found = self.new_states(recording, limit, models)
        failures = []
        for state, (problems, remains) in self.judge_all(recording, found, stops):
            self.judged += 1
            if problems:
                failures.append(Failure(
                    "%s:%s:%s" % (self.scenario.name, phase, state.label), state, recording, problems))
            elif remains:
                kind = tuple(sorted(" ".join(word for word in text.split() if "'" not in word) for text in remains))
                self.remains.setdefault(kind, []).append(state)
        for state in found:
            self.counts[state.model] = self.counts.get(state.model, 0) + 1
        return failures

    def judge_all(self, recording, found, stops):
        """Yields each state with its judgement; with `stops`, nothing after the first problem."""
        global TASK
        TASK = self, recording, found
        self.known.learned()
        if self.options.jobs == 1 or len(found) < 4:
            yield from self.until(stops, found, (judge_one(place) for place in range(len(found))))
            return
        with multiprocessing.get_context("fork").Pool(self.options.jobs) as pool:
            yield from self.until(stops, found, pool.imap(judge_one, range(len(found))))

    def until(self, stops, found, results):
        """Yields judgements, up to the first with a problem that stops."""
        for state, (problems, remains, learned) in zip(found, results):
            self.known.learn(learned)
            yield state, (problems, remains)
            if stops and any(map(stops, problems)):
                return

    def record_recovery(self, recording, state):
        """Records the next run on a state, which then is what is on the disk."""
        folder = self.trial.folder
        self.trial.place(state.tree, recording.disk.numbers)
        files = disk.Disk()
        files.read(folder)
        recovery = recordings.Recording(files)
        recorder = recordings.Recorder(folder, recovery.disk, recovery.operations)
        digests = [self.trial.digest(store) for store in self.scenario.stores]
        is_new = any(digests == entry.new for entry in self.expected)
        words = (["snapshot", "prune", self.scenario.stores[0], "--keep", "99"]
                 if is_new and not self.scenario.is_repeatable else self.scenario.command)
        ending = recorder.run([self.tool, *words])
        if ending.returncode != 0:
            raise RuntimeError("the recovery fails: %s" % judge.said(ending))
        if self.scenario.server:
            self.find_between(recovery)
        return recovery

    def close(self):
        if self.server:
            self.server.kill()
            self.server.wait()
        shutil.rmtree(self.work, ignore_errors=True)


TASK = None


def judge_one(place):
    """Judges a state of the present task, in a folder of this process; returns what was learned, too."""
    exploration, recording, found = TASK
    if os.getpid() not in exploration.judges:
        exploration.judges[os.getpid()] = exploration.judge("judge-%d" % os.getpid())
    state = found[place]
    problems, remains = exploration.judges[os.getpid()].judge(
        state.tree, recording.disk.numbers, state.point == len(recording.operations))
    return problems, remains, exploration.known.learned()
