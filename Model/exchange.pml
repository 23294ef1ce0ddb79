/* The protocol of Documentation/Durability.md as a model for SPIN. `make model` checks it.
 *
 * disk.pml        files and names, and what a loss of power leaves
 * properties.pml  the invariants
 * app.pml         an app that uses the store by SQLite's rules
 * run.pml         the steps of the tool's commands
 * exchange.pml    the commands, and the world that they run in
 *
 * A configuration is a set of macros, which Scripts/model sets: what the store is at the start, which commands run,
 * whether at once or one after the other, how many kills, losses of power and failing calls there are.
 */
#ifndef FAULT
#define FAULT 0       /* the number of a planted fault */
#endif
#ifndef SNAPSHOTS
#define SNAPSHOTS 2
#endif
#ifndef FILES
#define FILES 5       /* inodes, with the number 0 for none */
#endif
#ifndef WAL
#define WAL 1         /* whether the store is in WAL mode at the start */
#endif
#ifndef FRAMES
#define FRAMES 1      /* the rows that its log has at the start */
#endif
#ifndef WRITES
#define WRITES 2      /* the rows that the app may write */
#endif
#ifndef FIRST
#define FIRST APPLY   /* the commands; 0 for none */
#endif
#ifndef SECOND
#define SECOND 0
#endif
#ifndef KILLS
#define KILLS 0
#endif
#ifndef POWER
#define POWER 0
#endif
#ifndef FAILS
#define FAILS 0
#endif

byte kills = KILLS;    /* how many runs may still be killed */
byte powers = POWER;   /* how often the power may still be lost */
byte fails = FAILS;    /* how many calls may still fail */
byte epoch;            /* the losses of power so far: a process of an earlier one has ended */
byte ended;            /* the runs that have ended */
bit mayOpen = 1;       /* whether the app may open the store */
bit appMayDie = 1;
bit pruned;            /* a prune was asked to give up all snapshots */
bit clean;             /* the last run has ended */
bit exchanging;        /* a run has put a new store at the path, and its receipt isn't done yet */
#ifdef TRACE
/* The recorded events and commands, which Scripts/model-trace gives in a file; `commands` of the runs, one after another. */
short recorded[250];
byte commands[4];
byte length;
byte count;
byte next;       /* the number of events that have happened */
byte nextSlot;   /* in a trace, snapshots are numbered in the order in which they were made */
inline load() {
  c_code {
    FILE *file = fopen(getenv("RECORDED"), "r");
    int value, n;
    fscanf(file, "%d", &value); now.nextSlot = value;
    fscanf(file, "%d", &value); now.count = value;
    for (n = 0; n < now.count; n++) { fscanf(file, "%d", &value); now.commands[n] = value; }
    for (n = 0; n < 250 && fscanf(file, "%d", &value) == 1; n++) now.recorded[n] = value;
    now.length = n;
    fclose(file);
  }
}
#endif

#include "events.pml"
#include "disk.pml"
#include "properties.pml"
#include "app.pml"
#include "run.pml"

/* Steps before the rename: after an error, the run itself cleans up. */
#define TRY(event, place) \
  if \
  :: atomic { born == epoch && fails -> fails--; goto failed } \
  :: atomic { born == epoch } \
  fi; \
  STEP(event, place)

/* (f) From the built work file to the new store at the path. */
inline exchange() {
  settle();
#ifndef NO_LINKS
  STEP(LINK_OLD, s) snapshot[s].old.now = store.now END;
#else
  STEP(NEW_COPY, s)
    findFree(copy);
    now[copy].version = now[file].version; now[copy].rows = 0; now[copy].torn = ALL; now[copy].wal = now[file].wal;
    syncFile(copy);
#if FAULT != 13
    snapshot[s].oldDraft.now = copy
#else
    snapshot[s].old.now = copy
#endif
  END;
  STEP(WRITE_OLD, s) now[copy].rows = now[file].rows; now[copy].torn = 0 END;
  STEP(SYNC_COPY, s) syncFile(copy) END;
#if FAULT != 13
  STEP(PUT_COPY, s) snapshot[s].old.now = copy; snapshot[s].oldDraft.now = 0; copy = 0 END;
#endif
#endif
  STEP(SILENT, 0)
#ifndef NO_LINKS
    if
    :: snapshot[s].old.now != file -> goto failed
    :: else
    fi;
#endif
    snapshot[s].found = file; snapshot[s].written = snapshot[s].work.now;
    snapshot[s].rows = now[file].rows; snapshot[s].version = now[file].version;
    snapshot[s].writtenRows = now[snapshot[s].work.now].rows;
    snapshot[s].writtenVersion = now[snapshot[s].work.now].version;
    snapshot[s].undone = (command == ROLLBACK -> undone + 1 : 0)
  END;
  mark(s, PENDING);
  if
  :: journal.there ->
    STEP(UNLINK_JOURNAL, 0) journal.there = 0; journal.rows = 0; journal.inode = 0 END
  :: else
  fi;
#if FAULT != 14
  STEP(SYNC_BESIDE, 0) syncStoreFolder() END;
#endif
#if FAULT != 15
  STEP(LOCK_WORK, s)
    work = snapshot[s].work.now;
    countLinks(work);
    if
    :: exclusive[work] && exclusive[work] != me || shared[work] || links != 1 + own -> goto failed
    :: else -> exclusive[work] = me
    fi
  END;
#endif
  if
  :: own ->
#if FAULT != 16
    mark(undone, RETURNING);
#endif
    STEP(WRITE_WORK, s) now[work].wal = (snapshot[undone].saved == HEADER_WAL) END;
    STEP(SYNC_WORK, s) syncFile(work) END
  :: else
  fi;
#if FAULT == 17
  STEP(UNLOCK, 0) unlockAll() END;
#endif
  STEP(EXCHANGE, s)
    if
    :: store.now != file -> goto failed
    :: else ->
      store.now = snapshot[s].work.now; snapshot[s].work.now = 0; exchanging = 1
#ifndef SPLIT
      ; moving = s + 1
#endif
    fi
  END;
#if FAULT == 18
  mark(s, DONE);
#endif
  complete(s);
  STEP(SILENT, 0) exchanging = 0 END;
  release()
}

/* What a rollback goes back to: the newest snapshot that counts. Its file moves back if nobody else has it. */
inline choose() {
  undone = SNAPSHOTS;
  for (k : 0 .. SNAPSHOTS - 1) {
    if
    :: isDone(k) -> undone = k
    :: else
    fi
  }
}

inline restore() {
  STEP(SILENT, 0)
    countLinks(snapshot[undone].old.now);
    work = snapshot[undone].old.now;
    own = (links == 1 && !isSeen(work) && !exclusive[work] && !shared[work])
  END;
  if
  :: own ->
    STEP(LOCK_OLD, undone)
      if
      :: exclusive[work] || shared[work] -> own = 0
      :: else -> exclusive[work] = me
      fi
    END
  :: else
  fi;
  if
  :: own -> STEP(LINK_WORK, s) snapshot[s].work.now = work END
  :: else ->
    STEP(NEW_WORK, s)
      findFree(work);
      snapshot[s].work.now = work;
      now[work].version = snapshot[undone].version; now[work].rows = 0; now[work].torn = ALL; now[work].wal = 0;
      syncFile(work)
    END;
    STEP(WRITE_WORK, s)
      now[work].rows = snapshot[undone].rows; now[work].torn = 0; now[work].wal = (snapshot[undone].saved == HEADER_WAL)
    END;
    STEP(SYNC_WORK, s) syncFile(work) END
  fi
}

#ifdef MIGRATED
#define BEGIN 2
#else
#define BEGIN 1
#endif

/* When a run may start; the last one is the next command that writes, after all others and without an app. */
#ifdef TWO
#define RUNS 2
#else
#define RUNS 1
#endif
#ifdef AT_ONCE
#define mayStart(me, isLast) (isLast -> ended == RUNS && app == CLOSED : true)
#else
#define mayStart(me, isLast) (isLast -> ended == RUNS && app == CLOSED : ended == me - 2)
#endif

proctype Run(byte me; byte command; bit isLast) {
  byte born, file, s, r, undone, work, copy, class, pass, other, chosen;
  bit hadLog, hadIndex, own, any;

  atomic {
    mayStart(me, isLast) ->
    born = epoch;
    if
    :: isLast -> mayOpen = 0
    :: else
    fi
  }
start:
  recover();
  if
  :: command == RECOVER -> goto over
  :: else
  fi;
  /* What is seen before the lock is checked again under it. */
  STEP(SILENT, 0)
    choose();
    if
    :: command == ROLLBACK && undone == SNAPSHOTS -> goto over
    :: command == APPLY && now[store.now].version == NEW -> goto over
    :: else
    fi
  END;
  take();
#if FAULT != 19
  /* A run that was killed since the recovery above: the command starts again with the recovery. */
  STEP(SILENT, 0) findLeft() END;
  if
  :: any -> release(); goto start
  :: else
  fi;
#endif
  STEP(SILENT, 0)
    countLinks(file);
    if
    :: links != 1 && command != PRUNE -> goto unchanged
    :: command == APPLY && now[file].version == NEW -> goto unchanged
    :: command == ROLLBACK && !(isDone(undone)) -> goto unchanged
    :: command == ROLLBACK && (rowsOf(file) != snapshot[undone].writtenRows ||
       now[file].version != snapshot[undone].writtenVersion) -> goto unchanged  /* 8: refused */
    :: else
    fi;
#ifdef TRACE
    chosen = nextSlot; nextSlot++
#else
    chosen = 0;
    do
    :: chosen < SNAPSHOTS && (snapshot[chosen].folder.now || snapshot[chosen].folder.disk) -> chosen++
    :: else -> break
    od
#endif
  END;
  if
  :: command == PRUNE ->
    r = 0;
    do
    :: r < SNAPSHOTS ->
      if
      :: isDone(r) -> pruned = 1; remove(r)
      :: else
      fi;
      r++
    :: else -> break
    od;
    release();
    goto over
  :: else
  fi;
  assert(chosen < SNAPSHOTS);  /* the bound of this configuration is too small */
  create();
  if
  :: command == ROLLBACK -> restore()
  :: command == APPLY -> build(NEW)
  :: command == EDIT -> build(now[file].version)
  fi;
  exchange();
  goto over;

failed: /* the run cleans up itself */
  discard(s);
  if
  :: own -> restoreDone(undone)
  :: else
  fi;
unchanged:
  release();
over:
  atomic {
    if
    :: born == epoch && isLast ->
      /* 6: nothing of a killed run is left, and the store has its journal mode again. */
      assert(!some(isLeft));
      assert(now[store.now].wal == WAL || leftWAL);
      /* 3: whatever the runs put at the path, the old store is in a snapshot. */
      assert(store.now == BEGIN || pruned || some(keeps));
      clean = 1
    :: born == epoch && !isLast
    :: born != epoch
    fi;
    ended++
  }
  goto end;
refused:
  atomic {
    assert(!isLast || born != epoch);
    unlockAll();
    ended++
  }
  goto end;
killed:
  atomic {
    if
    :: born == epoch -> unlockAll(); exchanging = 0
    :: else
    fi;
    ended++
  };
end:
  skip
}

/* A loss of power ends all processes. */
proctype Power() {
end:
  do
  :: atomic { powers && mayOpen ->
       printf("the power is lost\n");
       losePower();
       powers--; epoch++; exchanging = 0;
       app = CLOSED; appFile = 0; writing = 0;
       check() }
  od
}

#ifdef TRACE
/* Scripts/model-trace has the checker look for a state in which all events have happened. */
bit accepted;
proctype Accept() {
#ifdef BEGINS
  (next == length);
#else
  (next == length && ended == count);
#endif
  accepted = 1;
  assert(!accepted)
}
#endif

init {
  atomic {
#ifdef MIGRATED
    /* An apply has been here: file 1 is in snapshot 0, file 2 is the store. */
    store.now = BEGIN;
    now[1].version = OLD; now[1].wal = 0;
    now[2].version = NEW; now[2].wal = WAL;
    parent.now = 1;
    snapshot[0].folder.now = 1; snapshot[0].old.now = 1; snapshot[0].receipt.now = DONE;
    snapshot[0].found = 1; snapshot[0].written = 2; snapshot[0].saved = (WAL -> HEADER_WAL : HEADER_DELETE);
    snapshot[0].version = OLD; snapshot[0].writtenVersion = NEW;
#else
    store.now = BEGIN;
    now[1].version = OLD; now[1].wal = WAL;
#endif
    if
    :: FRAMES && WAL -> log.there = 1; log.rows = FRAMES; log.inode = store.now; index.now = COUNTS
    :: else -> now[store.now].rows = FRAMES
    fi;
#ifdef EMPTY_LOG
    log.there = 1; log.inode = store.now;
#endif
#ifdef MIGRATED
    snapshot[0].writtenRows = 0; snapshot[0].rows = 0;
#endif
    committed = FRAMES; writes = WRITES;
    copyLog(logOnDisk, log);
    flush(store); flush(index); flush(parent);
    for (k : 0 .. SNAPSHOTS - 1) { flush(snapshot[k].folder); syncSnapshot(k) }
    for (k : 1 .. FILES - 1) { syncFile(k) }
#if !defined(NO_APP) && !defined(TRACE)
    run App();
#endif
#ifndef TRACE
    run Power();
#endif
#ifndef TRACE
    run Run(2, FIRST, 0);
#ifdef TWO
    run Run(3, SECOND, 0);
#endif
#endif
#ifdef TRACE
    load();
    run Accept();
    for (k : 0 .. 3) {
      if
      :: commands[k] -> run Run(2 + k, commands[k], 0)
      :: else
      fi
    }
#else
    run Run(4, RECOVER, 1)
#endif
  }
}

#ifdef LTL
/* 6: whatever a killed run leaves, the next run that writes finishes or discards it. */
ltl nothingStays { [] (some(isLeft) -> <> (clean && !some(isLeft))) }
#endif
