/* An app that uses the store by SQLite's rules, and that may be killed.
 *
 * It opens the file by its path, and locks it in a later step: another file may be at the path by then. In WAL mode, a
 * connection keeps its shared lock and opens `-wal` by its name. In rollback mode, it has a lock only while it reads
 * or writes, and SQLite refuses to write to a file that isn't at its path any more (SQLITE_READONLY_DBMOVED).
 *
 * SQLite syncs a journal and a log at each commit, with the folder that has its name. When the app removes names, they
 * are gone from the disk at once: what the app leaves in a loss of power isn't the tool's.
 */
#define CLOSED 0
#define OPENED 1    /* a descriptor without a lock */
#define READING 2   /* rollback mode, a shared lock */
#define WRITING 3   /* rollback mode, an exclusive lock: the journal is on the disk */
#define WRITTEN 4   /* the pages are written */
#define SYNCED 5    /* the pages are on the disk */
#define CONNECTED 6 /* WAL mode, a shared lock */

byte app;            /* one of the above */
byte appFile;        /* the inode that it has open */
byte writing;        /* the row that it is writing */
byte writes;         /* the rows that it may write yet */
byte committed;      /* the rows that it has written: none may be lost */
bit leftWAL;         /* it began to write in rollback mode to a store that was in WAL mode */

#define APP 1

inline appEnds() {
  shared[appFile] = shared[appFile] & ~APP;
  if
  :: exclusive[appFile] == APP -> exclusive[appFile] = 0
  :: else
  fi;
  app = CLOSED; appFile = 0; writing = 0
}

/* What the app finds when it locks its file: a journal is rolled back, then the header says the mode. */
inline appLocks() {
  assert(whole(appFile));                            /* 2: whoever opens the store reads a whole one */
  assert(!(exchanging && appFile == store.now));     /* 5: nobody opens the new store before its receipt is done */
  if
  :: hot(appFile) ->
    now[appFile].rows = journal.rows; now[appFile].torn = 0; now[appFile].wal = 0; syncFile(appFile);
    journal.there = 0; journal.rows = 0; journal.inode = 0; copyLog(journalOnDisk, journal)
  :: else
  fi;
  shared[appFile] = shared[appFile] | APP;
  if
  :: now[appFile].wal ->
    app = CONNECTED;
    if
    :: !log.there -> log.there = 1; log.rows = 0; log.inode = appFile
    :: else
    fi;
    index.now = (log.rows -> COUNTS : EMPTY)
  :: else -> app = READING
  fi
}

inline appCommits() {
  committed = committed | writing; writes = writes & ~writing; writing = 0
}

proctype App() {
end:
  do
  :: atomic { app == CLOSED && mayOpen -> appFile = store.now; app = OPENED }
  :: atomic { app == OPENED && !exclusive[appFile] && !(hot(appFile) && shared[appFile]) ->
       appLocks(); check() }
  :: atomic { app == OPENED -> appEnds() }
  :: atomic { app == READING -> shared[appFile] = shared[appFile] & ~APP; app = OPENED }

  /* A write in rollback mode; a file that was moved is refused. */
  :: atomic { app == READING && writes && shared[appFile] == APP && !exclusive[appFile] ->
       if
       :: appFile != store.now -> appEnds()
       :: else ->
         shared[appFile] = 0; exclusive[appFile] = APP;
         writing = writes & -writes;
         journal.there = 1; journal.rows = now[appFile].rows; journal.inode = appFile;
         syncStoreFolder(); copyLog(journalOnDisk, journal);
         leftWAL = leftWAL | WAL;
         app = WRITING
       fi;
       check() }
  :: atomic { app == WRITING -> now[appFile].rows = now[appFile].rows | writing; app = WRITTEN; check() }
  :: atomic { app == WRITTEN -> syncFile(appFile); app = SYNCED }
  :: atomic { app == SYNCED ->
       journal.there = 0; journal.rows = 0; journal.inode = 0; copyLog(journalOnDisk, journal);
       appCommits(); exclusive[appFile] = 0; app = OPENED; check() }

  /* A write in WAL mode: the frames go to the log that has the store's name. */
  :: atomic { app == CONNECTED && writes && log.there ->
       writing = writes & -writes;
       log.rows = log.rows | writing; log.inode = appFile; syncStoreFolder(); copyLog(logOnDisk, log);
       index.now = COUNTS;
       appCommits(); check() }
  /* The last connection folds the log in and removes it, or leaves it as Apple's systems do. */
  :: atomic { app == CONNECTED && shared[appFile] == APP && log.inode == appFile && appFile == store.now ->
       now[appFile].rows = now[appFile].rows | log.rows; now[appFile].torn = now[appFile].torn & ~log.rows;
       syncFile(appFile);
       log.there = 0; log.rows = 0; log.inode = 0; copyLog(logOnDisk, log); index.now = 0; index.disk = 0;
       appEnds(); check() }
  :: atomic { app == CONNECTED -> appEnds() }

  /* Killed while it writes: a hot journal stays. */
  :: atomic { (app == WRITING || app == WRITTEN || app == SYNCED) && appMayDie -> appEnds() }
  od
}
