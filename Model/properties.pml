/* What must hold after every step and after every loss of power. The numbers are those of the invariants in
 * Documentation/Durability.md.
 */

/* Whether SQLite reads a store from a file: damaged pages are in the log or the journal. */
#define hot(i) (journal.there && journal.inode == (i))
#define framesOf(i) ((log.there && log.inode == i) -> log.rows : 0)
#define whole(i) (hot(i) || (now[i].torn & ~framesOf(i)) == 0)
#define rowsOf(i) (hot(i) -> journal.rows : (now[i].rows | framesOf(i)))

/* A header in WAL mode and an index that counts frames, without a log: every command refuses the store. */
#define lacksLog (now[store.now].wal && !log.there && index.now == COUNTS)

#define isDone(s) (snapshot[s].folder.now && (state(snapshot[s].receipt.now) == DONE || \
  (state(snapshot[s].receipt.now) == RETURNING && snapshot[s].old.now && snapshot[s].old.now != store.now)))

/* Whether a snapshot's file is the old store of its receipt. */
#define keepsOld(s) (snapshot[s].old.now && now[snapshot[s].old.now].torn == 0 && \
  now[snapshot[s].old.now].rows == snapshot[s].rows && now[snapshot[s].old.now].version == snapshot[s].version)

#if SNAPSHOTS == 1
#define some(p) p(0)
#elif SNAPSHOTS == 2
#define some(p) (p(0) || p(1))
#elif SNAPSHOTS == 3
#define some(p) (p(0) || p(1) || p(2))
#else
#define some(p) (p(0) || p(1) || p(2) || p(3))
#endif

/* Whether anything of a run is in a snapshot's folder. */
#define isLeft(s) (snapshot[s].folder.now && (snapshot[s].receipt.now != DONE || snapshot[s].work.now || \
  snapshot[s].oldDraft.now || snapshot[s].header.now || snapshot[s].headerDraft.now || snapshot[s].keptLog.now || \
  snapshot[s].receiptDraft.now))

#define isBroken(s) (isDone(s) && !keepsOld(s))

inline check() {
  d_step {
    assert(store.now != 0);                                          /* 2: a store is at the path */
    assert(whole(store.now));                                        /* 2: it is whole */
    assert(!(log.there && log.rows && log.inode != store.now));         /* 2, 5: its log is its own */
    assert(!(journal.there && journal.inode && journal.inode != store.now));             /* 2: so is its journal */
    assert((committed & ~rowsOf(store.now)) == 0);                   /* 5, 8: no write is lost */
    assert(!some(isBroken))                                          /* 3: a snapshot that counts is whole */
  }
}

/* 3: a store that a run put at the path has a snapshot that keeps the old one. */
#define keeps(s) (snapshot[s].folder.now && snapshot[s].written == store.now && keepsOld(s))
