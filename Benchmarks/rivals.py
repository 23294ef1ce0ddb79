"""The same job by hand: Lume V6 to V7 with Python's sqlite3, sqlite-utils or Alembic.

    rivals.py python|sqlite-utils|alembic STORE USER

Each works as its documentation suggests. None of them takes a snapshot or proves anything.
"""

import base64
import json
import sqlite3
import sys

KEPT = "Z_PK Z_ENT Z_OPT ZCOMPLETEDAT ZCREATEDAT ZLASTATTEMPTAT ZERRORMESSAGE ZEVENTTYPE ZSTATUS ZID".split()
ADDED = {"ZMETADATA": str, "ZUSERID": str, "ZENTITYID": bytes,
         "ZMAXATTEMPTS": int, "ZPRIORITY": int, "ZISNEWRECORD": int}


def metadata(payload):
    if not payload:
        return None
    try:
        value = json.loads(payload.decode())
    except ValueError:
        value = None
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(payload).decode()


def with_python(path, user):
    new = KEPT + ["ZATTEMPTCOUNT"] + list(ADDED)
    old = KEPT + ["ZRETRYCOUNT", "ZPAYLOAD"]
    with sqlite3.connect(path) as store:
        store.execute("ALTER TABLE ZSDOUTBOXEVENT RENAME TO was")
        store.execute(f"CREATE TABLE ZSDOUTBOXEVENT (Z_PK INTEGER PRIMARY KEY, {', '.join(new[1:])})")
        rows = store.execute(f"SELECT {', '.join(old)} FROM was")
        store.executemany(
            f"INSERT INTO ZSDOUTBOXEVENT ({', '.join(new)}) VALUES ({', '.join('?' * len(new))})",
            ((*row[:-1], metadata(row[-1]), user, row[9], 5, 0, 1) for row in rows))
        store.execute("DROP TABLE was")


def with_sqlite_utils(path, user):
    import sqlite_utils

    store = sqlite_utils.Database(path)
    events = store["ZSDOUTBOXEVENT"]
    for name, type in ADDED.items():
        events.add_column(name, type)
    store.register_function(metadata, deterministic=True)
    with store.conn:
        store.execute(
            "UPDATE ZSDOUTBOXEVENT SET ZMETADATA = metadata(ZPAYLOAD), ZUSERID = ?, ZENTITYID = ZID, "
            "ZMAXATTEMPTS = 5, ZPRIORITY = 0, ZISNEWRECORD = 1", [user])
    events.transform(rename={"ZRETRYCOUNT": "ZATTEMPTCOUNT"}, drop={"ZPAYLOAD"})


def with_alembic(path, user):
    import sqlalchemy
    from alembic.migration import MigrationContext
    from alembic.operations import Operations

    types = {str: sqlalchemy.String, bytes: sqlalchemy.LargeBinary, int: sqlalchemy.Integer}
    with sqlalchemy.create_engine(f"sqlite:///{path}").begin() as connection:
        operations = Operations(MigrationContext.configure(connection))
        for name, type in ADDED.items():
            operations.add_column("ZSDOUTBOXEVENT", sqlalchemy.Column(name, types[type]))
        events = sqlalchemy.Table("ZSDOUTBOXEVENT", sqlalchemy.MetaData(), autoload_with=connection)
        change = events.update().where(events.c.Z_PK == sqlalchemy.bindparam("key")).values(
            ZMETADATA=sqlalchemy.bindparam("text"), ZENTITYID=sqlalchemy.bindparam("entity"),
            ZUSERID=user, ZMAXATTEMPTS=5, ZPRIORITY=0, ZISNEWRECORD=1)
        rows = connection.execution_options(yield_per=1000).execute(
            sqlalchemy.select(events.c.Z_PK, events.c.ZID, events.c.ZPAYLOAD))
        for batch in rows.partitions():
            connection.execute(
                change, [{"key": key, "entity": id, "text": metadata(data)} for key, id, data in batch])
        with operations.batch_alter_table("ZSDOUTBOXEVENT") as table:
            table.alter_column("ZRETRYCOUNT", new_column_name="ZATTEMPTCOUNT")
            table.drop_column("ZPAYLOAD")


if __name__ == "__main__":
    way, path, user = sys.argv[1:]
    {"python": with_python, "sqlite-utils": with_sqlite_utils, "alembic": with_alembic}[way](path, user)
