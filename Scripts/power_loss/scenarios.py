"""The runs that are explored: how their folders are made, and what is run in them."""
import json
import os
import shutil
import sqlite3
import subprocess
import sys

import contents
import judge

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STORE = "default.store"
APPLY = ("apply", STORE, "--accept-data-loss", "all")
ROLLBACK = ("rollback", STORE)
LARGE = ("0B6AF7F0-5C0B-4C53-9A52-9A0CDBB6E5D3", "6F9619FF-8B86-4D01-B42D-00CF4FC964FF")
NO_LINKS = ("linkat:error=EPERM", "link:error=EPERM")
CRASH = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    connection.execute(statement).fetchall()
os.kill(os.getpid(), 9)
"""


class Folder:
    """A folder that is prepared for a scenario."""

    def __init__(self, tool, path, temporary):
        self.tool, self.path, self.temporary = tool, path, temporary

    def run(self, *words):
        ending = judge.run([self.tool, *words], self.path, self.temporary)
        if ending.returncode != 0:
            raise RuntimeError("%s: %s" % (" ".join(words), judge.said(ending)))

    def file(self, name):
        return os.path.join(self.path, name)

    def create(self, version="V6", rows=6, app="lume", store=STORE):
        self.run("fixture", "create", app, version, store, "--rows", str(rows))

    def write(self, statements, store=STORE):
        """Writes to a store as an app does that then closes it."""
        connection = sqlite3.connect(self.file(store))
        connection.executescript(statements)
        connection.close()

    def entry(self, query):
        """Returns the one row of a query."""
        connection = sqlite3.connect(self.file(STORE))
        row = connection.execute(query).fetchone()
        connection.close()
        return row

    def read(self, query):
        """Returns the one value of a query."""
        return self.entry(query)[0]

    def crash(self, *statements):
        """Writes to a store as an app does that is then killed."""
        subprocess.run([sys.executable, "-c", CRASH, self.file(STORE), *statements], check=False)

    def add_large_values(self):
        folder = self.file(contents.external(STORE))
        os.makedirs(folder)
        for name in LARGE:
            with open(os.path.join(folder, name), "wb") as file:
                file.write(name.encode() * 100)


def plain(folder):
    folder.create()


def large_rows(folder):
    """Rows with values on pages of their own."""
    folder.create()
    folder.write("UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = CAST('{\"id\": \"' || hex(randomblob(9000)) || '\"}' AS BLOB)"
                 " WHERE Z_PK % 3 = 0")


def little_changes(folder):
    """A store of which little changes, so that the new one is a copy of it in which that is written."""
    folder.create()
    folder.write("UPDATE ZSDMOODENTRY SET ZNOTES = hex(randomblob(400000)) WHERE Z_PK < 4")


def log(folder):
    """A log with rows and its index, as after a crash of the app."""
    folder.create()
    folder.crash("PRAGMA wal_autocheckpoint = 0", "UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5", "DELETE FROM ZSDGOAL")


def damaged_log(folder):
    """A log of two transactions that was cut within the second, as a copy of a store in use has one."""
    log(folder)
    with open(folder.file(STORE + "-wal"), "r+b") as file:
        file.truncate(os.path.getsize(file.name) - 1000)
    os.remove(folder.file(STORE + "-shm"))


def hot_journal(folder):
    """The journal of an app that was killed in a transaction, with changed pages in the main file."""
    rollback_mode(folder)
    folder.crash("PRAGMA cache_size = 2", "BEGIN IMMEDIATE", "UPDATE ZSDOUTBOXEVENT SET ZCREATEDAT = 1",
                 "UPDATE ZSDMOODENTRY SET ZVALENCE = 0.5", "DELETE FROM ZSDGOAL",
                 "UPDATE ZSDCHATMESSAGE SET Z_OPT = Z_OPT + 1")
    if not os.path.exists(folder.file(STORE + "-journal")):
        raise RuntimeError("the app's journal isn't there")


def rollback_mode(folder):
    folder.create()
    folder.write("PRAGMA journal_mode = DELETE")
    for ending in ("-wal", "-shm"):
        if os.path.exists(folder.file(STORE + ending)):
            os.remove(folder.file(STORE + ending))


def large_values(folder):
    folder.create()
    folder.add_large_values()


def many(folder):
    folder.create(rows=60)


def applied(folder):
    folder.create()
    folder.run(*APPLY)


def applied_without_large_values(folder):
    """The app removed its large values after an apply: a rollback brings them back."""
    large_values(folder)
    folder.run(*APPLY)
    shutil.rmtree(folder.file(".default_SUPPORT"))


def written_since(folder):
    applied(folder)
    folder.write("UPDATE ZSDOUTBOXEVENT SET ZPRIORITY = 7 WHERE Z_PK < 5; DELETE FROM ZSDGOAL")


def parked(folder):
    written_since(folder)
    folder.run(*ROLLBACK, "--keep-changes")


def snapshots(folder):
    """Three snapshots, of which one is pruned."""
    parked(folder)
    folder.run(*APPLY)


def quarantine(folder):
    many(folder)
    folder.run(*APPLY, "--rows", "deliverable")


def quarantine_and_more(folder):
    """A snapshot with a quarantine, and a newer one."""
    quarantine(folder)
    folder.run("outbox", "cleanup", STORE, "--before", "2100-01-01")


def templates(folder):
    folder.create("V11", 4, "fitiq")
    shutil.copyfile(os.path.join(TOP, "Fixtures/templates/before-V11.plist"), folder.file("app.plist"))


def failed_events(folder):
    folder.create("V7", 12)
    folder.write("UPDATE ZSDOUTBOXEVENT SET ZSTATUS = 'failed', ZATTEMPTCOUNT = 5 WHERE Z_PK % 3 = 0")


def queue(folder):
    """Three events that are sent, each about its own row."""
    folder.create("V7", 4)
    folder.write("""
        DELETE FROM ZSDOUTBOXEVENT WHERE Z_PK > 3;
        CREATE TEMP TABLE moods AS SELECT row_number() OVER (ORDER BY Z_PK) AS place, ZID FROM ZSDMOODENTRY;
        UPDATE ZSDOUTBOXEVENT SET ZEVENTTYPE = 'moodEntry', ZSTATUS = 'pending', ZATTEMPTCOUNT = 0, ZMETADATA = NULL,
        ZENTITYID = (SELECT ZID FROM moods WHERE place = ZSDOUTBOXEVENT.Z_PK)""")


def saved_plan(folder):
    folder.create()
    folder.run("plan", STORE, "--accept-data-loss", "all", "--out", "migration.json")


def two_stores(folder):
    folder.create(store="one.store")
    folder.create(store="two.store", rows=4)


def current(folder):
    folder.create("V7", 4)


def broken(folder):
    """A store with links to missing rows, and without an index of these links."""
    folder.create("V11", 4, "fitiq")
    folder.write("UPDATE ZSDMOODENTRY SET ZUSERPROFILE = 99; DROP INDEX ZSDMOODENTRY_ZUSERPROFILE_INDEX")


def damaged(folder):
    """A store with a table whose index lacks rows; SQLite reads every row of the table itself."""
    folder.create("V11", 4, "fitiq")
    index = "ZSDMOODENTRY_ZUSERPROFILE_INDEX"
    columns = "type, name, tbl_name, rootpage, sql"
    entry = folder.entry("SELECT %s FROM sqlite_schema WHERE name = '%s'" % (columns, index))
    folder.write("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = '%s'" % index)
    folder.write("UPDATE ZSDMOODENTRY SET ZUSERPROFILE = NULL WHERE Z_PK = 1")
    folder.write("PRAGMA writable_schema = ON; INSERT INTO sqlite_schema (%s) VALUES ('%s', '%s', '%s', %d, '%s')"
                 % ((columns,) + entry))


def problem_of_json(path):
    """Returns why a file isn't whole, or None."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        json.loads(data)
    except ValueError:
        return "%d bytes that aren't JSON" % len(data)
    return None


def problem_of_store(path):
    try:
        tables = contents.rows_of(os.path.dirname(path), os.path.basename(path), path + ".look").tables
    except sqlite3.Error as error:
        return "not a store: %s" % error
    return None if tables.get("Z_METADATA") else "a store without metadata"


class Scenario:
    """A command, and the folder that it is run in.

    - `back` undoes the command; None if nothing can be undone.
    - `faults` are injected into the recorded run; `kills` end earlier runs of the command in the same folder.
    - `unsynced` are the endings of the store's files that the app hadn't synced.
    - `output` is a file that the command writes beside the store, `problem_of` says whether it is whole.
    - `kept` is a file of which every state has the bytes, under its name or under the second one.
    - `inputs` are other names in the folder that a run leaves.
    """

    def __init__(self, name, prepare, command, back=ROLLBACK, stores=(STORE,), faults=(), kills=(), unsynced=(),
                 output=None, problem_of=problem_of_json, inputs=(), server=False, kept=()):
        self.name, self.prepare, self.command, self.back, self.stores = name, prepare, command, back, stores
        self.faults, self.kills, self.unsynced, self.inputs = faults, kills, unsynced, inputs
        self.output, self.problem_of, self.server, self.kept = output, problem_of, server, kept
        self.kept_bytes = None
        # What is found when it is tried: whether the command can be repeated, and rows of unfinished deliveries.
        self.is_repeatable, self.between = True, set()


def edit(name, prepare, *words, **more):
    return Scenario(name, prepare, words, **more)


DISCARD = ROLLBACK + ("--discard-changes",)
ALL = [
    Scenario("apply", large_rows, APPLY),
    Scenario("apply-copy", little_changes, APPLY),
    Scenario("apply-log", log, APPLY),
    Scenario("apply-unsynced-log", log, APPLY, unsynced=("-wal", "-shm")),
    Scenario("apply-damaged-log", damaged_log, APPLY, kept=(STORE + "-wal", STORE + ".unfinished-wal")),
    Scenario("apply-hot-journal", hot_journal, APPLY),
    Scenario("apply-rollback-mode", rollback_mode, APPLY),
    Scenario("apply-large-values", large_values, APPLY),
    Scenario("apply-no-links", large_values, APPLY, faults=NO_LINKS),
    Scenario("apply-deliverable", many, APPLY + ("--rows", "deliverable")),
    Scenario("apply-parked", parked, APPLY),
    Scenario("apply-plan", saved_plan, ("apply", "migration.json"), inputs=("migration.json",)),
    Scenario("apply-jobs", two_stores, ("apply", "one.store", "two.store", "--jobs", "2", "--accept-data-loss", "all"),
             back=("rollback", "one.store"), stores=("one.store", "two.store")),
    Scenario("rollback", applied_without_large_values, ROLLBACK),
    Scenario("rollback-no-links", applied_without_large_values, ROLLBACK, faults=NO_LINKS),
    Scenario("rollback-keep", written_since, ROLLBACK + ("--keep-changes",)),
    Scenario("rollback-keep-no-links", written_since, ROLLBACK + ("--keep-changes",), faults=NO_LINKS),
    Scenario("rollback-discard", written_since, DISCARD),
    edit("prune", snapshots, "snapshot", "prune", STORE, "--keep", "1"),
    edit("prune-all", quarantine_and_more, "snapshot", "prune", STORE, "--keep", "0", "--force", back=None),
    edit("quarantine-restore", quarantine, "quarantine", "restore", STORE, "--rows", "documented"),
    edit("import", templates, "import", "templates", "app.plist", STORE, inputs=("app.plist",)),
    edit("repair", broken, "repair", STORE),
    edit("repair-damaged", damaged, "repair", STORE),
    edit("outbox-retry", failed_events, "outbox", "retry", STORE, "--exhausted"),
    edit("outbox-cleanup", current, "outbox", "cleanup", STORE, "--before", "2100-01-01"),
    edit("outbox-reset", failed_events, "outbox", "reset", STORE, "--user", "USER"),
    edit("outbox-deliver", queue, "outbox", "deliver", STORE, "--base-url", "URL", "--at-once", "1", back=DISCARD,
         server=True),
    edit("outbox-sync-test", current, "outbox", "sync-test", STORE, "--base-url", "URL", back=DISCARD, server=True),
    edit("plan-out", plain, "plan", STORE, "--accept-data-loss", "all", "--out", "new.json", output="new.json",
         inputs=(STORE, STORE + "-wal")),
    edit("plan-out-again", saved_plan, "plan", STORE, "--accept-data-loss", "all", "--out", "migration.json",
         output="migration.json", inputs=(STORE, STORE + "-wal")),
    edit("schema-capture", plain, "schema", "capture", STORE, "--out", "new.json", output="new.json",
         inputs=(STORE, STORE + "-wal")),
    edit("fixture-create", lambda folder: None, "fixture", "create", "lume", "V6", "new.store", "--rows", "3",
         output="new.store", problem_of=problem_of_store),
    edit("fixture-anonymise", plain, "fixture", "anonymise", STORE, "new.store", output="new.store",
         problem_of=problem_of_store, inputs=(STORE, STORE + "-wal")),
]
# Each kill comes at another step: while folders are made, before the header, the link, the receipt, the exchange and
# the end; the last ones are two in a row.
for number, kills in enumerate((["fsync:1"], ["mkdirat:2"], ["renameat:1"], ["linkat:1"], ["renameat:2"],
                                ["renameat:3"], ["renameat:4"], ["fsync:1", "renameat:2"],
                                ["renameat:3", "renameat:2"]), 1):
    ALL.append(Scenario("apply-killed-%d" % number, log, APPLY, kills=kills))
# SQLite syncs the store's folder when it syncs a log. Without one, the folder of snapshots isn't synced by that.
ALL.append(Scenario("apply-killed-without-log", plain, APPLY, kills=["fsync:1"]))
for number, kills in enumerate((["renameat:1"], ["linkat:1"], ["renameat:4"], ["renameat:5"], ["renameat:6"],
                                ["unlinkat:4"]), 1):
    ALL.append(Scenario("rollback-killed-%d" % number, applied_without_large_values, ROLLBACK, kills=kills))
for number, kills in enumerate((["renameat:1"], ["unlinkat:1"], ["unlinkat:3"]), 1):
    ALL.append(Scenario("prune-killed-%d" % number, snapshots, ("snapshot", "prune", STORE, "--keep", "1"),
                        kills=kills))
