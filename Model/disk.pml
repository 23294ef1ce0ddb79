/* The disk: files, names, and what a loss of power leaves of them.
 *
 * Each file and each name has two values: the present one, and the one that is on the disk. `sync` makes them equal.
 * A loss of power chooses between the two, for each name and each part of a file on its own: this is the assumption of
 * Documentation/Durability.md. The rename of the work file onto the store is done or not done, with both of its names.
 *
 * A row is one bit: the bit of the write that made it. A file is a set of rows; `torn` is the set of rows whose pages
 * may be damaged. ALL stands for a file that was created and isn't synced: anything may be in it.
 */
#define ALL 4

typedef File {
  byte version;  /* OLD or NEW: the version of the model */
  byte rows;
  byte torn;
  bit wal        /* the journal mode in the header */
}
File now[FILES];   /* by inode; 0 stands for no file */
File disk[FILES];

typedef Name { byte now; byte disk }
Name store;        /* the inode at the store's path */
Name index;        /* -shm: EMPTY, or COUNTS if it counts frames that aren't in the main file yet */
#define EMPTY 1
#define COUNTS 2
Name parent;       /* NAME.snapshots: whether there is one */

typedef Log { bit there; byte rows; byte inode }  /* -wal: the rows in its frames, and the inode that they belong to */
Log log;
Log logOnDisk;

typedef Journal { bit there; byte rows; byte inode }  /* -journal: the rows before the write, and the inode */
Journal journal;
Journal journalOnDisk;

/* A receipt's state. A file that isn't synced yet has the bit UNSYNCED: after a loss of power it may be damaged. */
#define PENDING 1
#define DONE 2
#define RETURNING 3
#define REMOVING 4
#define DAMAGED 5
#define UNSYNCED 8
#define state(value) (value & 7)

/* `header`: HEADER_DELETE or HEADER_WAL by the journal mode that it keeps, or DAMAGED. */
#define HEADER_DELETE 1
#define HEADER_WAL 2

typedef Snapshot {
  Name folder;        /* whether the folder is there */
  Name work;          /* an inode */
  Name old;           /* an inode: the old store */
  Name oldDraft;      /* an inode: a copy of the old store that isn't complete */
  Name header;
  Name headerDraft;
  Name keptLog;       /* `empty-wal`: the store's log, empty, while the store isn't in WAL mode */
  Name receipt;
  Name receiptDraft;
  /* What `header` says besides the journal mode. */
  byte headerRows; byte headerVersion;
  /* What the receipt says besides its state. */
  byte found; byte written; byte saved;
  byte rows; byte version;            /* the old store */
  byte writtenRows; byte writtenVersion;  /* the new store */
  byte undone         /* the number of the snapshot that a rollback went back to, plus one */
}
Snapshot snapshot[SNAPSHOTS];

/* The snapshot whose work file became the store by a rename that isn't on the disk yet, plus one. */
byte moving;

/* Used within one step only. */
hidden byte k;
hidden byte j;
hidden byte used;
hidden byte links;
hidden byte moved;

/* Locks by inode: the process that has SQLite's exclusive lock, and those that share it (bits). */
byte exclusive[FILES];
byte shared[FILES];

inline syncFile(i) {
  disk[i].version = now[i].version; disk[i].rows = now[i].rows; disk[i].torn = now[i].torn; disk[i].wal = now[i].wal
}

inline flush(name) { name.disk = name.now }

inline clear(s) {
  snapshot[s].work.disk = 0; snapshot[s].old.disk = 0; snapshot[s].oldDraft.disk = 0;
  snapshot[s].header.disk = 0; snapshot[s].headerDraft.disk = 0; snapshot[s].keptLog.disk = 0;
  snapshot[s].receipt.disk = 0; snapshot[s].receiptDraft.disk = 0
}

/* The rename is one operation of two folders: syncing either puts it on the disk. */
inline syncRename() {
  if
  :: moving -> flush(snapshot[moving - 1].work); flush(store); moving = 0
  :: else
  fi
}

inline copyLog(target, source) { target.there = source.there; target.rows = source.rows; target.inode = source.inode }

inline syncStoreFolder() {
  syncRename();
  flush(store); flush(index);
  /* The name is on the disk, the length of the file isn't. */
  if
  :: !log.there -> copyLog(logOnDisk, log)
  :: else -> logOnDisk.there = 1
  fi;
  copyLog(journalOnDisk, journal);
  flush(parent);
  if
  :: !parent.now ->
    for (k : 0 .. SNAPSHOTS - 1) { snapshot[k].folder.disk = 0; clear(k) }
  :: else
  fi
}

inline syncParent() {
  for (k : 0 .. SNAPSHOTS - 1) {
    flush(snapshot[k].folder);
    if
    :: !snapshot[k].folder.now -> clear(k)
    :: else
    fi
  }
}

inline syncSnapshot(s) {
  if
  :: moving == s + 1 -> syncRename()
  :: else
  fi;
  flush(snapshot[s].work); flush(snapshot[s].old); flush(snapshot[s].oldDraft);
  flush(snapshot[s].header); flush(snapshot[s].headerDraft); flush(snapshot[s].keptLog);
  flush(snapshot[s].receipt); flush(snapshot[s].receiptDraft)
}

/* MARK: a loss of power */

inline loseName(name) {
  if
  :: name.now != name.disk ->
    if
    :: name.disk = name.now
    :: name.now = name.disk
    fi
  :: else
  fi
}

inline loseText(name) {
  loseName(name);
  if
  :: name.now & UNSYNCED ->
    if
    :: name.now = state(name.now)
    :: name.now = DAMAGED
    fi;
    name.disk = name.now
  :: else
  fi
}

inline forget(name) { name.now = 0; name.disk = 0 }

inline loseFile(i) {
  if
  :: now[i].wal != disk[i].wal ->
    if
    :: skip
    :: now[i].wal = disk[i].wal
    fi
  :: else
  fi;
  if
  :: now[i].rows != disk[i].rows || now[i].torn != disk[i].torn || now[i].version != disk[i].version ->
    if
    :: skip
    :: now[i].rows = disk[i].rows; now[i].torn = disk[i].torn; now[i].version = disk[i].version
    :: now[i].torn = disk[i].torn | (now[i].rows ^ disk[i].rows)
    fi
  :: else
  fi;
  syncFile(i)
}

inline loseLog(present, old) {
  if
  :: present.there != old.there || present.rows != old.rows || present.inode != old.inode ->
    if
    :: skip
    :: copyLog(present, old)
    fi
  :: else
  fi;
  if
  :: !present.there -> present.rows = 0; present.inode = 0
  :: else
  fi;
  copyLog(old, present)
}

inline loseSnapshot(s) {
  if
  :: parent.now -> loseName(snapshot[s].folder)
  :: else -> forget(snapshot[s].folder)
  fi;
  if
  :: snapshot[s].folder.now ->
    if
    :: moving == s + 1 -> snapshot[s].work.now = (moved -> snapshot[s].work.now : snapshot[s].work.disk);
       snapshot[s].work.disk = snapshot[s].work.now
    :: else -> loseName(snapshot[s].work)
    fi;
    loseName(snapshot[s].old); loseName(snapshot[s].oldDraft); loseName(snapshot[s].keptLog);
    loseText(snapshot[s].header); loseText(snapshot[s].headerDraft);
    loseText(snapshot[s].receipt); loseText(snapshot[s].receiptDraft)
  :: else ->
    forget(snapshot[s].work); forget(snapshot[s].old); forget(snapshot[s].oldDraft);
    forget(snapshot[s].header); forget(snapshot[s].headerDraft); forget(snapshot[s].keptLog);
    forget(snapshot[s].receipt); forget(snapshot[s].receiptDraft)
  fi
}

inline losePower() {
  /* Processes end with their locks. */
  for (k : 1 .. FILES - 1) { exclusive[k] = 0; shared[k] = 0 }
  moved = 0;
  if
  :: store.now != store.disk ->
    if
    :: store.disk = store.now; moved = 1
    :: store.now = store.disk
    fi
  :: else
  fi;
  loseName(index); loseName(parent);
  loseLog(log, logOnDisk); loseLog(journal, journalOnDisk);
  for (k : 0 .. SNAPSHOTS - 1) { loseSnapshot(k) }
  moving = 0; moved = 0;
  for (k : 1 .. FILES - 1) { loseFile(k) }
}
