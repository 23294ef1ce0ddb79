"""Reads what is in a folder with stores: rows, large values, and files that shouldn't be there."""
import hashlib
import os
import re
import shutil
import sqlite3

BESIDE = ("-wal", "-journal", "-shm")
SNAPSHOT = re.compile(r"^.+-.+-\d{8}T\d{6}Z(-\d+)?$")
LASTING = {"receipt.json", "parked.jsonl", "returned", "set-aside.jsonl", "quarantine.jsonl", "edited",
           "_EXTERNAL_DATA"}
PASSING = {"work", "empty-wal", "work-journal", "work-wal", "work-shm", "edited-journal", "header",
           "unfinished-wal"}


class Rows:
    """All rows of a store, as SQLite reads them; `columns` are the rows by table and column."""

    def __init__(self, path):
        connection = sqlite3.connect(path)
        try:
            connection.text_factory = bytes
            self.columns, self.tables = {}, {}
            names = [row[0].decode() for row in connection.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
            for table in names:
                cursor = connection.execute('SELECT * FROM "%s"' % table)
                self.columns[table] = [column[0] for column in cursor.description]
                self.tables[table] = sorted(map(repr_row, cursor))
            self.schema = repr(connection.execute("SELECT sql FROM sqlite_schema ORDER BY name").fetchall())
            found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != b"ok"]
            if not all(b" index " in line for line in found):
                raise sqlite3.DatabaseError("the integrity check fails")
            # An index that lacks rows is a difference like any other: a scenario may begin with one.
            self.schema += repr(found) if found else ""
        finally:
            connection.close()

    def digest(self, volatile=frozenset()):
        """Returns a hash of all rows, without the columns that no two runs write equally."""
        state = hashlib.sha256(self.schema.encode())
        for table, rows in self.tables.items():
            kept = [place for place, column in enumerate(self.columns[table]) if (table, column) not in volatile]
            state.update(repr((table, sorted([row[place] for place in kept] for row in rows))).encode())
        return state.hexdigest()

    def differing(self, other):
        """Returns the (table, column) pairs whose values differ."""
        found = set()
        for table, rows in self.tables.items():
            for place, column in enumerate(self.columns[table]):
                values = [sorted(row[place] for row in side) for side in (rows, other.tables.get(table, []))]
                if values[0] != values[1]:
                    found.add((table, column))
        return found


def repr_row(row):
    return [repr(value) for value in row]


def rows_of(folder, store, scratch):
    """Reads the rows of a store from a copy of its files."""
    shutil.rmtree(scratch, ignore_errors=True)
    os.mkdir(scratch)
    try:
        for ending in ("",) + BESIDE:
            if os.path.exists(os.path.join(folder, store + ending)):
                shutil.copyfile(os.path.join(folder, store + ending), os.path.join(scratch, "look" + ending))
        return Rows(os.path.join(scratch, "look"))
    finally:
        shutil.rmtree(scratch)


def external(store):
    """Returns the path of the folder with a store's external data."""
    return ".%s_SUPPORT/_EXTERNAL_DATA/" % os.path.splitext(store)[0]


def large_values(folder, store):
    """Returns the names of a store's external data files with their bytes."""
    path = os.path.join(folder, external(store))
    values = {}
    for name in os.listdir(path) if os.path.isdir(path) else ():
        with open(os.path.join(path, name), "rb") as file:
            values[name] = file.read()
    return values


def paths_in(folder):
    """Returns all paths below a folder, in order."""
    found = []
    for where, folders, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(where, name), folder) for name in folders + names]
    return sorted(found)


def stray_files(paths, stores, inputs, sizes, is_settled):
    """Returns the paths that Documentation/Files.md doesn't name."""
    def is_named(path):
        parts = path.split("/")
        if parts[0] in inputs:
            return True
        for store in stores:
            if parts[0] == external(store).split("/", maxsplit=1)[0]:
                return len(parts) < 3 or not (is_settled and parts[-1].endswith(".new"))
            if parts[0] == store + ".snapshots":
                if len(parts) < 3:
                    return len(parts) == 1 or bool(SNAPSHOT.match(parts[1]))
                if len(parts) == 3:
                    return parts[2] in LASTING | {store} or not is_settled and (
                        parts[2] in PASSING or parts[2].endswith(".new"))
                return parts[2] in ("returned", "_EXTERNAL_DATA") and not (is_settled and path.endswith(".new"))
            if parts[0].startswith(store + ".parked-"):
                return path.endswith(".jsonl") or not is_settled
            if path in (store, store + ".unfinished-wal"):
                return True
            if path in (store + ending for ending in BESIDE):
                # A killed run may leave an empty log.
                return not is_settled or path == store + "-wal" and sizes(path) == 0
        return False

    return [path for path in paths if not is_named(path)]


def journal_modes(folder, stores):
    """Returns the two bytes of each store's header that say whether it has a log."""
    found = []
    for store in stores:
        with open(os.path.join(folder, store), "rb") as file:
            found.append(file.read(20)[18:])
    return found
