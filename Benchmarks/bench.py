"""Compares the speed of outbox-migrate with other ways to do the same job, on the same stores, in one run.

    bench.py TOOL FOLDER [--rows 10000,100000,1000000] [--rounds 9] [--template FILE --document FILE]

TOOL is the release binary. FOLDER holds the stores and programs (a few times the largest store: 4 GB for a
million rows), and is filled once. Commands take turns, round by round, each on a fresh copy that is synced
before the measurement starts. A ratio compares two commands of one round; medians are printed. The document is
the template, with the tables in place of {{measured}} and the machine in place of {{machine}}.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys

import growth

HERE = os.path.dirname(os.path.abspath(__file__))
USER = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
OURS, LIMIT, CP = "`apply`", "C, a new file, proven on two threads", "cp and fsync"
COPY = "C, a copy, its pages compared"

KEPT = "Z_PK Z_ENT Z_OPT ZCOMPLETEDAT ZCREATEDAT ZLASTATTEMPTAT ZERRORMESSAGE ZEVENTTYPE ZSTATUS ZID".split()
MOOD = ("Z_PK Z_ENT Z_OPT ZCREATEDAT ZDATE ZUPDATEDAT ZVALENCE ZBACKENDID ZNOTES ZSOURCE ZSOURCEID ZID ZUSERID "
        "ZASSOCIATIONS ZLABELS").split()


def reading(events):
    """SQL that reads every value of the two tables and returns two rows."""
    def highest(columns):
        return ", ".join(f"max({column})" for column in columns)
    return (f"SELECT {highest(KEPT + events)} FROM ZSDOUTBOXEVENT; SELECT {highest(MOOD)} FROM ZSDMOODENTRY")


READ_OLD = reading(["ZRETRYCOUNT", "ZPAYLOAD"])
READ_NEW = reading(["ZATTEMPTCOUNT", "ZMETADATA", "ZUSERID", "ZENTITYID", "ZMAXATTEMPTS", "ZPRIORITY", "ZISNEWRECORD"])


class Bench:
    def __init__(self, tool, folder):
        self.tool, self.folder = os.path.abspath(tool), os.path.abspath(folder)
        os.makedirs(self.folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self):
        for name in ("fill", "limit", "measure"):
            source = os.path.join(HERE, name + ".c")
            subprocess.run(["gcc", "-O2", "-o", self.path(name), source, "-lsqlite3", "-lpthread"], check=True)
        if not os.path.exists(self.path("venv/bin/alembic")):
            subprocess.run([sys.executable, "-m", "venv", self.path("venv")], check=True)
            subprocess.run([self.path("venv/bin/pip"), "install", "-q", "sqlite-utils", "alembic"], check=True)

    def store(self, rows, entries=None):
        """A Lume V6 store with as many mood entries as events, or a given number."""
        path = self.path(f"lume-{rows}-{entries}.store" if entries else f"lume-{rows}.store")
        if not os.path.exists(path):
            print(f"making a store of {rows:,} events and {entries or rows:,} mood entries", file=sys.stderr)
            new = path + ".new"
            subprocess.run([self.tool, "fixture", "create", "lume", "V6", new, "--rows", "0"],
                           check=True, stdout=subprocess.DEVNULL)
            subprocess.run([self.path("fill"), new, str(rows), str(entries or rows)], check=True)
            os.rename(new, path)
        return path

    def computing(self):
        """Commands that compute columns of the mood entries of a Lume V6 store."""
        folder = self.path("computing")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(HERE, "../migrations/lume/V6.schema.json")) as file:
            schema = json.load(file)
        schema["version"] = "V6@scored"
        entry = next(each for each in schema["entities"] if each["name"] == "SDMoodEntry")
        types = {"score": "Integer 64", "excerpt": "String", "day": "String"}
        entry["attributes"] += [{"name": name, "type": kind, "optional": True} for name, kind in types.items()]
        entry["attributes"].sort(key=lambda each: each["name"])
        formulas = {"score": "CAST(round((valence + 1) * 4.5 + 1) AS INTEGER)",
                    "excerpt": "trim(substr(notes, 1, 40))", "day": "text_from_date(date, 'yyyy-MM-dd')"}
        migration = {"format_version": 1, "app": schema["app"], "from": "V6", "to": "V6@scored", "steps": [
            {"compute": "SDMoodEntry." + name, "sql": sql} for name, sql in formulas.items()]}
        for name, content in (("V6@scored.schema.json", schema), ("V6-V6@scored.json", migration)):
            with open(os.path.join(folder, name), "w") as file:
                json.dump(content, file)
        return {
            "C, a new file, with SQL functions": (lambda path: [self.path("limit"), path, USER, "compute"], False),
            OURS: (lambda path: [self.tool, "apply", path, "--to", "V6@scored", "--migrations", folder], False),
        }

    def fitiq(self, version, rows):
        path = self.path(f"fitiq-{version}-{rows}.store")
        if not os.path.exists(path):
            subprocess.run([self.tool, "fixture", "create", "fitiq", version, path, "--rows", str(rows)],
                           check=True, stdout=subprocess.DEVNULL)
        return path

    def migrated(self, store, version):
        """The same store at a later version."""
        path = f"{store.removesuffix('.store')}-at-{version}.store"
        if not os.path.exists(path):
            shutil.copyfile(store, path)
            subprocess.run([self.tool, "apply", path, "--to", version, "--user-id", USER, "--accept-data-loss", "all"],
                           check=True, stdout=subprocess.DEVNULL)
        return path

    def copy(self, store):
        """A fresh copy of a store, alone in a folder, or of a folder of stores, synced to the disk."""
        folder = self.path("run")
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.isdir(store):
            path = shutil.copytree(store, folder)
        else:
            os.mkdir(folder)
            path = shutil.copyfile(store, os.path.join(folder, "default.store"))
        subprocess.run(["sync", "-f", folder], check=True)
        return path

    def measure(self, command):
        """Seconds, CPU seconds, peak MiB, MB written."""
        report = self.path("measured")
        done = subprocess.run([self.path("measure"), report, *command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
        if done.returncode:
            sys.exit(f"{command[0]} failed: {done.stdout[-500:]}")
        seconds, cpu, peak, written = open(report).read().split()
        return float(seconds), float(cpu), int(peak) / 1024, int(written) / 1e6

    def rounds(self, count, store, commands):
        """The measures of each command, by name.

        A value of `commands` is a function from a copy's path to the command, and whether to migrate the copy first.
        The copy is one of the store, or of the command's own store in a dictionary."""
        results = {name: [] for name in commands}
        for _ in range(count):
            for name, (command, is_migrated) in commands.items():
                path = self.copy(store[name] if isinstance(store, dict) else store)
                if is_migrated:
                    subprocess.run([self.tool, "apply", path, "--user-id", USER, "--accept-data-loss", "all"],
                                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    subprocess.run(["sync", "-f", os.path.dirname(path)], check=True)
                results[name].append(self.measure(command(path)))
        return results

    # What is measured

    def peers(self):
        python, rivals = self.path("venv/bin/python"), os.path.join(HERE, "rivals.py")
        script = "PRAGMA secure_delete = OFF;\n.read " + os.path.join(HERE, "rebuild.sql")
        with open(self.path("rebuild"), "w") as file:
            file.write(script + "\n")
        peers = {
            LIMIT: lambda path: [self.path("limit"), path, USER],
            OURS: lambda path: [self.tool, "apply", path, "--user-id", USER],
            "sqlite3, in SQL": lambda path: ["sqlite3", path, ".read " + self.path("rebuild")],
            "Python's sqlite3": lambda path: [python, rivals, "python", path, USER],
            "sqlite-utils": lambda path: [python, rivals, "sqlite-utils", path, USER],
            "Alembic": lambda path: [python, rivals, "alembic", path, USER],
        }
        return {name: (command, False) for name, command in peers.items()}

    def carrying(self):
        """What is measured where only a thousand rows change."""
        return {
            CP: (lambda path: ["sh", "-c", "cp $0 $0.copy && sync $0.copy", path], False),
            COPY: (lambda path: [self.path("limit"), path, USER, "copy"], False),
            LIMIT: (lambda path: [self.path("limit"), path, USER], False),
            OURS: (lambda path: [self.tool, "apply", path, "--user-id", USER], False),
            "`apply --rows deliverable`": (
                lambda path: [self.tool, "apply", path, "--user-id", USER, "--rows", "deliverable"], False),
            "`plan`": (lambda path: [self.tool, "plan", path, "--user-id", USER], False),
            "`plan --no-integrity`": (
                lambda path: [self.tool, "plan", path, "--user-id", USER, "--no-integrity"], False),
            "`verify`, with the ledger": (lambda path: [self.tool, "verify", path], True),
            "`rollback`": (lambda path: [self.tool, "rollback", path], True),
        }

    def looking(self, other):
        """Commands that read a whole store, which is at V7, for `lint` at V6, and has no snapshot.

        `other` is a store with the same rows."""
        def of(*words, status=0):
            text = " ".join(words)
            return (lambda path: ["sh", "-c", f'"$0" {text} > "$1.out"; [ $? = {status} ]', self.tool, path], False)
        return {
            "every value read, in SQL": (lambda path: ["sqlite3", f"file:{path}?immutable=1", READ_NEW], False),
            "`verify`, without a snapshot": of("verify", '"$1"'),
            "`diff`": of("diff", '"$1"', f"'{other}'"),
            "`lint`": of("lint", '"$1"', status=1),
            "`schema capture`": of("schema capture", '"$1"'),
            "`outbox verify`": of("outbox verify", '"$1"', status=6),
            "`outbox deliver --dry-run`": of("outbox deliver", '"$1"', "--base-url http://127.0.0.1:9 --dry-run"),
        }

    def fleet(self, count):
        """A folder of small stores of all versions."""
        folder = self.path(f"fleet-{count}")
        if not os.path.exists(folder):
            print(f"making {count:,} stores", file=sys.stderr)
            new = folder + ".new"
            shutil.rmtree(new, ignore_errors=True)
            os.mkdir(new)
            versions = [("fitiq", f"V{number}") for number in range(1, 11)]
            versions += [("lume", f"V{number}") for number in range(1, 7)]
            for number in range(count):
                app, version = versions[number % len(versions)]
                subprocess.run([self.tool, "fixture", "create", app, version, f"{new}/{number}.store", "--rows", "20"],
                               check=True, stdout=subprocess.DEVNULL)
            os.rename(new, folder)
        return folder

    def migrating(self):
        """One run over all stores of a folder, and a run for each."""
        options = f"--user-id {USER} --accept-data-loss all"
        commands = {
            "one run with `--jobs 3`": f'"$0" apply *.store {options} --jobs 3 > out',
            "one run with `--jobs 2`": f'"$0" apply *.store {options} --jobs 2 > out',
            "one run": f'"$0" apply *.store {options} > out',
            "a run for each": f'for store in *.store; do "$0" apply "$store" {options} > out || exit; done',
        }
        return {name: (lambda folder, command=command: ["sh", "-c", f'cd "$1" && {command}', self.tool, folder], False)
                for name, command in commands.items()}

    def commands(self):
        return {
            OURS: (lambda path: [self.tool, "apply", path, "--user-id", USER], False),
            "`plan`": (lambda path: [self.tool, "plan", path, "--user-id", USER], False),
            "`verify`, with the ledger": (lambda path: [self.tool, "verify", path], True),
            "every value of both stores read, in SQL": (
                lambda path: ["sh", "-c", f"sqlite3 file:$0?immutable=1 '{READ_NEW}' && "
                              f"sqlite3 file:$(echo $0.snapshots/V6*/default.store)?immutable=1 '{READ_OLD}'",
                              path], True),
            "`rollback`": (lambda path: [self.tool, "rollback", path], True),
            CP: (lambda path: ["sh", "-c", "cp $0 $0.copy && sync $0.copy", path], False),
            "`status`": (lambda path: [self.tool, "status", path], False),
            "`status --no-count`": (lambda path: [self.tool, "status", "--no-count", path], False),
        }


def median(measures, place=0):
    return statistics.median(measure[place] for measure in measures)


def ratio(measures, others, place=0):
    return statistics.median(one[place] / other[place] for one, other in zip(measures, others))


def table(results, reference):
    lines = ["| | seconds | ratio | CPU seconds | peak MiB | MB written |", "|---|---|---|---|---|---|"]
    for name, measures in results.items():
        lines.append(
            f"| {name} | {median(measures):.3f} | {ratio(measures, results[reference]):.2f} "
            f"| {median(measures, 1):.3f} | {median(measures, 2):.0f} | {median(measures, 3):.1f} |")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder")
    parser.add_argument("--rows", default="10000,100000,1000000")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--template")
    parser.add_argument("--document")
    options = parser.parse_args()
    bench = Bench(options.tool, options.folder)
    bench.build()
    lines, grown, every, little = [], {}, {}, {}
    sizes = [int(size) for size in options.rows.split(",")]
    for rows in sizes:
        store = bench.store(rows)
        count = max(3, options.rounds if rows < 1000000 else 3)
        peers = bench.rounds(count, store, bench.peers())
        ours = bench.rounds(count, store, bench.commands())
        grown[rows] = (median(ours[OURS]), median(peers[LIMIT]))
        every[rows] = {OURS: ours[OURS], "C": peers[LIMIT], CP: ours[CP]}
        lines += [f"### {rows:,} events, {os.path.getsize(store) / 1e6:,.0f} MB", ""]
        lines += table(peers, LIMIT) + ["", "Commands, relative to `apply`:", ""] + table(ours, OURS) + [""]
        print("\n".join(lines[-30:]), file=sys.stderr)
    if len(sizes) > 1:
        lines += ["### Growth", "", "| events | `apply` | C |", "|---|---|---|"]
        for before, after in zip(sizes, sizes[1:]):
            ours, limit = (grown[after][place] / grown[before][place] for place in (0, 1))
            lines.append(f"| {before:,} to {after:,} | {ours:.1f} times | {limit:.1f} times |")
        lines.append("")
    for entries in (size * 3 for size in sizes if size >= 100000):
        store = bench.store(1000, entries)
        lines += [f"### 1,000 events in a store of {os.path.getsize(store) / 1e6:,.0f} MB", ""]
        count = max(3, options.rounds if entries < 1000000 else 3)
        carried = bench.rounds(count, store, bench.carrying())
        lines += table(carried, CP) + [""]
        little[os.path.getsize(store) / 1e6] = {OURS: carried[OURS], "C": carried[COPY], CP: carried[CP]}
    for entries in sizes[:2]:
        store = bench.store(1000, entries)
        lines += [f"### Three computed columns of {entries:,} rows, {os.path.getsize(store) / 1e6:,.0f} MB", ""]
        lines += table(bench.rounds(options.rounds, store, bench.computing()),
                       "C, a new file, with SQL functions") + [""]
    rows = max(sizes)
    store = bench.migrated(bench.store(rows), "V7")
    lines += [f"### Commands that read a store of {rows:,} events, {os.path.getsize(store) / 1e6:,.0f} MB", ""]
    looking = bench.looking(store)
    stores = {name: bench.store(rows) if name == "`lint`" else store for name in looking}
    lines += table(bench.rounds(3, stores, looking), "every value read, in SQL") + [""]
    count = min(1000, rows)
    lines += [f"### {count:,} small stores of all versions", ""]
    lines += table(bench.rounds(3, bench.fleet(count), bench.migrating()), "a run for each") + [""]
    store = bench.fitiq("V3", min(100000, max(sizes)))
    chain = {"FitIQ V8 to V9": (bench.migrated(store, "V8"), ["--to", "V9"]),
             "FitIQ V3 to V11": (store, []), "FitIQ V3 to V4": (store, ["--to", "V4"])}
    lines += [f"### A chain, {os.path.getsize(store) / 1e6:,.0f} MB", ""]
    lines += table(bench.rounds(options.rounds, {name: path for name, (path, _) in chain.items()}, {
        name: (lambda path, more=more: [bench.tool, "apply", path, "--accept-data-loss", "all", *more], False)
        for name, (_, more) in chain.items()}), "FitIQ V8 to V9") + [""]
    text = "\n".join(lines)
    print(text)
    if options.document and len(sizes) > 1:
        with open(os.path.splitext(options.document)[0] + ".svg", "w") as picture:
            picture.write(growth.svg(panels(every, "events, of which each changes")
                                     + (panels(little, "MB, of which 1,000 rows change") if len(little) > 1 else [])))
    if options.document:
        with open(options.template) as template, open(options.document, "w") as document:
            document.write(template.read().replace("{{measured}}", text.rstrip())
                           .replace("{{machine}}", machine(bench.tool)))


def panels(measured, across):
    """How time and memory grow with the numbers that the measures are kept by."""
    def lines(place):
        # Names in the text are code; a picture has no code.
        return {name.strip("`"): [(size, median(found[name], place)) for size, found in measured.items()]
                for name in next(iter(measured.values()))}
    return [growth.Panel("Seconds", across, lines(0)), growth.Panel("Peak memory, MiB", across, lines(2))]


def machine(tool):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    version = subprocess.run(["sqlite3", "--version"], stdout=subprocess.PIPE, text=True).stdout.split()[0]
    return (f"{os.cpu_count()} cores, {memory:.0f} GiB, Linux, SQLite {version}; the binary has "
            f"{os.path.getsize(tool) / 1e6:.0f} MB; load {os.getloadavg()[1]:.1f}, of which this run makes up to 2")


if __name__ == "__main__":
    main()
