/* A command that writes: apply, rollback, an edit, prune, or the recovery alone.
 *
 * The letters and numbers are those of the protocol in Documentation/Durability.md. Between two steps, everything else
 * may happen: a step of another process, a kill, a loss of power.
 */
#define APPLY 1
#define ROLLBACK 2
#define EDIT 3
#define PRUNE 4
#define RECOVER 5

#define OLD 1
#define NEW 2

#define STEP(event, place) \
  if \
  :: atomic { born != epoch -> goto killed } \
  :: atomic { born == epoch && MAY_DIE(me) -> DIE; printf("run %d is killed\n", me); goto killed } \
  :: atomic { born == epoch && MAY(event, place) -> TICK(event); printf("run %d: event %d in %d\n", me, event, place);
#define END ; check() } fi

inline unlockAll() {
  for (k : 1 .. FILES - 1) {
    if
    :: exclusive[k] == me -> exclusive[k] = 0
    :: else
    fi
  }
}

/* A free inode: it has no name, now or on the disk, and no process has it open. The numbers of removed files come back. */
#define named(s, i) (snapshot[s].work.now == i || snapshot[s].work.disk == i || snapshot[s].old.now == i || \
  snapshot[s].old.disk == i || snapshot[s].oldDraft.now == i || snapshot[s].oldDraft.disk == i)
inline findFree(i) {
  i = 1;
  do
  :: i < FILES ->
    used = (store.now == i || store.disk == i || appFile == i || exclusive[i]);
    for (k : 0 .. SNAPSHOTS - 1) { used = used || named(k, i) }
    if
    :: used -> i++
    :: else -> break
    fi
  :: else -> break
  od;
  assert(i < FILES)  /* the bound of this configuration is too small */
}

inline countLinks(i) {
  links = (store.now == i);
  for (k : 0 .. SNAPSHOTS - 1) {
    links = links + (snapshot[k].work.now == i) + (snapshot[k].old.now == i) + (snapshot[k].oldDraft.now == i)
  }
}

/* A log that a killed run kept is put back. */
#define hasKeptLog(s) (snapshot[s].folder.now && snapshot[s].keptLog.now)

#ifdef HIDDEN
#define isSeen(i) false
#else
#define isSeen(i) (app != CLOSED && appFile == i)
#endif

/* (b) The holders, the file at the path, its lock, and the path again. */
inline take() {
  STEP(SILENT, 0)
    assert(!lacksLog || exclusive[store.now]);  /* 6: a whole store isn't refused for what a run left */
    if
    :: isSeen(store.now) || exclusive[store.now] -> goto refused
    :: else -> file = store.now; hadLog = log.there || some(hasKeptLog); hadIndex = (index.now != 0)
    fi
  END;
  STEP(LOCK, 0)
    if
    :: exclusive[file] || shared[file] -> goto refused
    :: else -> exclusive[file] = me
    fi
  END;
  STEP(SILENT, 0)
#if FAULT != 1
    if
    :: store.now != file -> exclusive[file] = 0; goto refused
    :: else
    fi
#else
    skip
#endif
  END;
  if
  :: hot(file) ->
    /* SQLite rolls an interrupted write back. In exclusive mode, it zeroes the journal's header and leaves the file. */
    STEP(UNROLL, 0)
      now[file].rows = journal.rows; now[file].torn = 0; now[file].wal = 0; syncFile(file);
      journal.rows = 0; journal.inode = 0
    END
  :: else
  fi;
  if
  :: now[file].wal && !log.there ->
    STEP(NEW_LOG, 0) log.there = 1; log.rows = 0; log.inode = file END
  :: else
  fi
}

inline release() {
  if
  /* An index that came since is the app's, and may count frames. */
  :: !hadLog && log.there && !log.rows && (hadIndex || !index.now || FAULT == 20) ->
    STEP(UNLINK_LOG, 0) log.there = 0; log.inode = 0 END
  :: else
  fi;
  STEP(UNLOCK, 0) unlockAll() END
}

/* The receipt, in a draft that replaces it in one step. */
inline mark(s, value) {
  if
  :: snapshot[s].receiptDraft.now -> STEP(UNLINK_DRAFT, s) snapshot[s].receiptDraft.now = 0 END
  :: else
  fi;
  STEP(NEW_RECEIPT, s) snapshot[s].receiptDraft.now = value | UNSYNCED END;
#if FAULT != 2
  STEP(SYNC_RECEIPT, s)
    snapshot[s].receiptDraft.now = value;
    if
    :: snapshot[s].receiptDraft.disk -> snapshot[s].receiptDraft.disk = value
    :: else
    fi
  END;
#endif
  STEP(PUT_RECEIPT + value, s)
    snapshot[s].receipt.now = snapshot[s].receiptDraft.now; snapshot[s].receiptDraft.now = 0
  END;
  STEP(SYNC_FOLDER, s) syncSnapshot(s) END
}

/* What only a run in progress needs; a loss of power can bring it back beside a receipt that says done. */
#define hasPassing(s) (snapshot[s].work.now || snapshot[s].header.now || snapshot[s].keptLog.now)
inline removePassing(s) {
  if
  :: snapshot[s].work.now -> STEP(UNLINK_WORK, s) snapshot[s].work.now = 0 END
  :: else
  fi;
  if
  :: snapshot[s].header.now -> STEP(UNLINK_HEADER, s) snapshot[s].header.now = 0 END
  :: else
  fi;
  if
  :: snapshot[s].keptLog.now -> STEP(UNLINK_KEPT_LOG, s) snapshot[s].keptLog.now = 0 END
  :: else
  fi
}

#define hasFiles(s) (hasPassing(s) || snapshot[s].old.now || snapshot[s].oldDraft.now || \
  snapshot[s].headerDraft.now || snapshot[s].receiptDraft.now)
#define isThere(s) (snapshot[s].folder.now)

/* (i) The receipt says so first; what makes the folder a snapshot goes last. */
inline remove(s) {
  if
  :: FAULT != 3 && state(snapshot[s].receipt.now) && state(snapshot[s].receipt.now) != DAMAGED -> mark(s, REMOVING)
  :: else
  fi;
  /* The system lists the files in any order. */
  do
  :: snapshot[s].old.now -> STEP(UNLINK_OLD, s) snapshot[s].old.now = 0 END
  :: snapshot[s].work.now -> STEP(UNLINK_WORK, s) snapshot[s].work.now = 0 END
  :: snapshot[s].header.now -> STEP(UNLINK_HEADER, s) snapshot[s].header.now = 0 END
  :: snapshot[s].keptLog.now -> STEP(UNLINK_KEPT_LOG, s) snapshot[s].keptLog.now = 0 END
  :: snapshot[s].oldDraft.now -> STEP(UNLINK_DRAFT, s) snapshot[s].oldDraft.now = 0 END
  :: snapshot[s].headerDraft.now -> STEP(UNLINK_DRAFT, s) snapshot[s].headerDraft.now = 0 END
  :: snapshot[s].receiptDraft.now -> STEP(UNLINK_DRAFT, s) snapshot[s].receiptDraft.now = 0 END
  :: !hasFiles(s) -> break
  od;
#if FAULT != 4
  /* With the receipt gone, nothing says that what a loss of power brings back may be removed. */
  STEP(SYNC_FOLDER, s) syncSnapshot(s) END;
#endif
  if
  :: snapshot[s].receipt.now ->
    STEP(UNLINK_RECEIPT, s) snapshot[s].receipt.now = 0 END
  :: else
  fi;
  STEP(REMOVE_FOLDER, s) snapshot[s].folder.now = 0 END;
  if
  :: !some(isThere) && parent.now -> STEP(REMOVE_PARENT, 0) parent.now = 0 END
  :: else
  fi
}

/* (f.6, f.7, g) Every step can be repeated. */
inline complete(s) {
#if FAULT != 5
  STEP(SYNC_BESIDE, 0) syncStoreFolder() END;
#endif
  removePassing(s);
#if FAULT != 6
  STEP(SYNC_FOLDER, s) syncSnapshot(s) END;
#endif
  if
  :: snapshot[s].undone && snapshot[snapshot[s].undone - 1].folder.now ->
    other = snapshot[s].undone - 1;
    remove(other)
  :: else
  fi;
  mark(s, DONE)
}

/* What a folder is after a run that was cut short. */
#define NOTHING 0
#define UNFINISHED 1
#define EXCHANGED 2
#define HALF_REMOVED 3
#define KEPT 4
#define NOT_RETURNED 5
#define UNCLEAR 6

#define isSame(i, j) (now[i].version == now[j].version && now[i].rows == now[j].rows && now[i].torn == 0 && \
  now[j].torn == 0)
#define isRedundant(s) (!snapshot[s].old.now || snapshot[s].old.now == store.now || isSame(snapshot[s].old.now, store.now))

#define isSettled(s) (snapshot[s].header.now == HEADER_WAL && !now[store.now].wal && \
  now[store.now].rows == snapshot[s].headerRows && now[store.now].version == snapshot[s].headerVersion)

inline classify(s) {
  if
  :: !snapshot[s].folder.now -> class = NOTHING
  :: else ->
    if
    :: state(snapshot[s].receipt.now) == 0 -> class = (FAULT != 13 && isSettled(s) || isRedundant(s) -> UNFINISHED : UNCLEAR)
    :: state(snapshot[s].receipt.now) == DAMAGED -> class = UNCLEAR
    :: state(snapshot[s].receipt.now) == DONE -> class = ((snapshot[s].receiptDraft.now || FAULT != 6 && hasPassing(s)) -> KEPT : NOTHING)
    :: state(snapshot[s].receipt.now) == REMOVING -> class = HALF_REMOVED
    :: state(snapshot[s].receipt.now) == RETURNING ->
      class = ((!snapshot[s].old.now || snapshot[s].old.now == store.now) -> HALF_REMOVED : NOT_RETURNED)
    :: state(snapshot[s].receipt.now) == PENDING ->
      if
      :: store.now == snapshot[s].written -> class = EXCHANGED
      :: store.now == snapshot[s].found && store.now != snapshot[s].written -> class = UNFINISHED
      :: else ->
        if
        :: !snapshot[s].work.now && now[store.now].version == snapshot[s].writtenVersion -> class = EXCHANGED
        :: else -> class = (isRedundant(s) -> UNFINISHED : UNCLEAR)
        fi
      fi
    fi
  fi
}

/* (c, j) The header goes back if nobody has written since: the change counter and the rest of the header say so. */
#define isAsSettled(s) (now[file].rows == snapshot[s].headerRows && now[file].version == snapshot[s].headerVersion)

inline restoreHeader(s, mode) {
  if
  :: FAULT == 7 || isAsSettled(s) && mode == HEADER_WAL ->
    if
    :: index.now && !(log.there && log.rows) ->
      STEP(UNLINK_INDEX, 0) index.now = 0 END;
#if FAULT != 11
      STEP(SYNC_BESIDE, 0) syncStoreFolder() END
#endif
    :: else
    fi;
    if
    :: !now[file].wal ->
      if
      :: snapshot[s].keptLog.now && !log.there ->
        STEP(PUT_LOG, s) log.there = 1; log.rows = 0; log.inode = file; snapshot[s].keptLog.now = 0 END
      :: else
      fi;
      STEP(WRITE_HEADER, 0)
        now[file].wal = 1;
        /* A header of another state has another number of pages. */
        if
        :: !isAsSettled(s) -> now[file].torn = ALL
        :: else
        fi
      END;
      STEP(SYNC_STORE, 0) syncFile(file) END
    :: else
    fi
  :: else
  fi
}

/* (g) A snapshot whose file didn't become the store counts again. */
inline restoreDone(s) {
  if
  :: snapshot[s].old.now ->
    if
    :: now[snapshot[s].old.now].torn == 0 && now[snapshot[s].old.now].rows == snapshot[s].rows ->
      STEP(WRITE_OLD, s) now[snapshot[s].old.now].wal = 0 END;
      STEP(SYNC_OLD, s) syncFile(snapshot[s].old.now) END
    :: else
    fi
  :: else
  fi;
  mark(s, DONE)
}

/* The header before the folder that has it on the disk (f.3). */
inline discard(s) {
  if
  :: snapshot[s].folder.now && snapshot[s].receipt.now -> restoreHeader(s, snapshot[s].saved)
  :: snapshot[s].folder.now && !snapshot[s].receipt.now && snapshot[s].header.now -> restoreHeader(s, snapshot[s].header.now)
  :: else
  fi;
  remove(s)
}

inline findLeft() {
  any = 0;
  for (j : 0 .. SNAPSHOTS - 1) {
    classify(j);
    any = any || class
  }
}

/* The recovery, and before it the journal of another program'r write. */
inline recover() {
  STEP(SILENT, 0) any = journal.there END;
  if
  :: any ->
    take();
    if
    :: journal.there -> STEP(UNLINK_JOURNAL, 0) journal.there = 0 END
    :: else
    fi;
    release()
  :: else
  fi;
  STEP(SILENT, 0) findLeft() END;
  if
  :: any ->
    take();
    /* Exchanges first: their steps may need what is in a folder that is then removed. */
    pass = 0;
    do
    :: pass < 2 ->
      r = 0;
      do
      :: r < SNAPSHOTS ->
        STEP(SILENT, 0) classify(r) END;
        if
        :: pass == 0 && class == EXCHANGED -> complete(r)
        :: pass == 1 && class == UNFINISHED -> discard(r)
        :: pass == 1 && class == HALF_REMOVED -> remove(r)
        :: pass == 1 && class == NOT_RETURNED -> restoreDone(r)
        :: pass == 1 && class == KEPT ->
          if
          :: snapshot[r].receiptDraft.now -> STEP(UNLINK_DRAFT, r) snapshot[r].receiptDraft.now = 0 END
          :: else
          fi;
          removePassing(r);
          STEP(SYNC_FOLDER, r) syncSnapshot(r) END
        :: else
        fi;
        r++
      :: else -> break
      od;
      pass++
    :: else -> break
    od;
    release()
  :: else
  fi;
  class = 0; any = 0; pass = 0; r = 0
}

/* (f.1) The snapshot's folder, and the folder around it. */
inline create() {
  if
  :: !parent.now ->
    STEP(NEW_PARENT, 0)
      /* A folder that was removed is gone: a new one with its name is another folder. */
      if
      :: parent.disk -> parent.disk = 0; for (k : 0 .. SNAPSHOTS - 1) { snapshot[k].folder.disk = 0; clear(k) }
      :: else
      fi;
      parent.now = 1
    END
  :: else
  fi;
#if FAULT != 8
  STEP(SYNC_BESIDE, 0) syncStoreFolder() END;
#endif
  STEP(NEW_FOLDER, chosen)
    s = chosen;
    snapshot[s].folder.now = 1;
    snapshot[s].headerRows = 0; snapshot[s].headerVersion = 0; snapshot[s].found = 0; snapshot[s].written = 0;
    snapshot[s].saved = 0; snapshot[s].rows = 0; snapshot[s].version = 0; snapshot[s].writtenRows = 0;
    snapshot[s].writtenVersion = 0; snapshot[s].undone = 0
  END;
  STEP(SYNC_PARENT, 0) syncParent() END
}

/* (e) The new store, with the rows of the old one. */
inline build(version_) {
  STEP(NEW_WORK, s)
    findFree(work);
    snapshot[s].work.now = work;
    now[work].version = version_; now[work].rows = 0; now[work].torn = ALL; now[work].wal = 0; syncFile(work)
  END;
  STEP(WRITE_WORK, s)
    now[work].rows = rowsOf(file); now[work].torn = 0; now[work].wal = now[file].wal
  END;
  if
  :: command == EDIT ->
    /* SQLite syncs the folder with the journal of `edited`; the header is written last. */
    STEP(SYNC_FOLDER, s) syncSnapshot(s) END;
    STEP(WRITE_WORK, s) skip END
  :: else
  fi;
#if FAULT != 9
  STEP(SYNC_WORK, s) syncFile(work) END;
#endif
  STEP(SYNC_FOLDER, s) syncSnapshot(s) END
}

/* (c) */
inline settle() {
  if
  :: log.there && log.rows ->
    /* SQLite syncs the folder with a log that it may have created. */
    STEP(SYNC_LOG, 0) copyLog(logOnDisk, log) END;
    STEP(SYNC_BESIDE, 0) syncStoreFolder() END;
    STEP(FOLD, 0) now[file].rows = now[file].rows | log.rows; now[file].torn = now[file].torn & ~log.rows END;
    STEP(SYNC_STORE, 0) syncFile(file) END;
    STEP(CUT_LOG, 0) log.rows = 0 END
  :: log.there && !log.rows ->
    STEP(CUT_LOG, 0) skip END
  :: else
  fi;
  if
  :: log.there -> STEP(KEEP_LOG, s) snapshot[s].keptLog.now = 1 END
  :: else
  fi;
  STEP(NEW_HEADER, s) snapshot[s].headerDraft.now = (now[file].wal -> HEADER_WAL : HEADER_DELETE) | UNSYNCED END;
  STEP(SYNC_HEADER, s) snapshot[s].headerDraft.now = state(snapshot[s].headerDraft.now) END;
  STEP(PUT_HEADER, s)
    snapshot[s].header.now = snapshot[s].headerDraft.now; snapshot[s].headerDraft.now = 0;
    snapshot[s].headerRows = now[file].rows; snapshot[s].headerVersion = now[file].version;
    snapshot[s].saved = snapshot[s].header.now
  END;
#if FAULT != 10
  STEP(SYNC_FOLDER, s) syncSnapshot(s) END;
#endif
  if
  :: index.now ->
    STEP(UNLINK_INDEX, 0) index.now = 0 END;
#if FAULT != 11
    STEP(SYNC_BESIDE, 0) syncStoreFolder() END
#endif
  :: else
  fi;
  if
  :: now[file].wal && FAULT != 12 ->
    STEP(UNLINK_LOG, 0) log.there = 0; log.rows = 0; log.inode = 0 END;
    STEP(WRITE_HEADER, 0) now[file].wal = 0 END
  :: else
  fi;
  STEP(SYNC_STORE, 0) syncFile(file) END
}
