/* The calls of a run that Scripts/model-trace finds in a recorded run.
 *
 * A step with an event stands for one or several calls. In a trace, it is possible only if its event is the next one.
 */
#define SILENT 0
#define LOCK 1
#define NEW_LOG 2
#define NEW_PARENT 3
#define SYNC_BESIDE 4
#define NEW_FOLDER 5
#define SYNC_PARENT 6
#define NEW_WORK 7
#define WRITE_WORK 8
#define SYNC_WORK 9
#define SYNC_FOLDER 10
#define SYNC_LOG 11
#define FOLD 12
#define SYNC_STORE 13
#define CUT_LOG 14
#define NEW_HEADER 15
#define SYNC_HEADER 16
#define PUT_HEADER 17
#define UNLINK_INDEX 18
#define UNLINK_LOG 19
#define WRITE_HEADER 20
#define LINK_OLD 21
#define NEW_RECEIPT 22
#define SYNC_RECEIPT 23
#define PUT_RECEIPT 24  /* plus the state: 25 to 28 */
#define UNLINK_JOURNAL 29
#define LOCK_WORK 30
#define EXCHANGE 31
#define UNLINK_HEADER 32
#define UNLINK_WORK 33
#define UNLINK_OLD 34
#define UNLINK_RECEIPT 35
#define UNLINK_DRAFT 36
#define REMOVE_FOLDER 37
#define REMOVE_PARENT 38
#define LINK_WORK 39
#define LOCK_OLD 40
#define UNLOCK 41
#define KILLED 42
#define NEW_COPY 43
#define SYNC_COPY 44
#define PUT_COPY 45
#define WRITE_OLD 46
#define SYNC_OLD 47
#define UNROLL 48
#define KEEP_LOG 49
#define PUT_LOG 50
#define UNLINK_KEPT_LOG 51

#ifdef TRACE
#define MAY(event, place) (event == SILENT || (next < length && recorded[next] == (event) * 8 + (place)))
#define TICK(event) if :: (event) != SILENT -> next++ :: else fi
#define MAY_DIE(me) (next < length && recorded[next] == KILLED * 8)
#define DIE next++
#else
#define MAY(event, place) true
#define TICK(event) skip
#define MAY_DIE(me) (kills && !isLast)
#define DIE kills--
#endif
