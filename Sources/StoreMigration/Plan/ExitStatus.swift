/// The exit status of a run.
///
/// Help, man page and README show this table; scripts depend on the numbers.
public enum ExitStatus: Int32, CaseIterable, Hashable, Sendable {
  /// The work is done, or there was nothing to do.
  case done = 0

  /// The work failed for a reason that has no status of its own.
  case failed = 1

  /// A plan has changes and the status was asked to say so, or two stores differ.
  case changesPending = 2

  /// The store, a file or the tool changed since the plan was created.
  case stalePlan = 3

  /// The file isn't a store, its version is unknown, or it is torn.
  case unknownStore = 4

  /// Another process has the store open, or another hard link leads to it.
  case inUse = 5

  /// A check of a store failed.
  case verificationFailed = 6

  /// Data would be lost, and the user didn't accept it.
  case refused = 7

  /// The command line asks for something that doesn't exist (`EX_USAGE` of `sysexits.h`).
  case misuse = 64

  /// A migration, schema or plan file is malformed (`EX_DATAERR`).
  case badFile = 65

  /// There is no store at the path (`EX_NOINPUT`).
  case noStore = 66

  /// A file can't be created (`EX_CANTCREAT`).
  case cannotCreate = 73

  /// A file can't be read or written (`EX_IOERR`).
  case ioError = 74

  /// `SIGINT` ended the run (128 plus the signal's number, as in shells).
  case interrupted = 130

  /// `SIGTERM` ended the run.
  case terminated = 143

  /// The meaning, as in the table.
  public var meaning: String {
    switch self {
    case .done: "done, or nothing to do"
    case .failed: "failed"
    case .changesPending:
      "changes pending (plan --detailed-exitcode), or the stores or models differ (diff, schema capture)"
    case .stalePlan: "the plan is stale"
    case .unknownStore: "unknown or torn store"
    case .inUse: "the store is in use"
    case .verificationFailed: "verification failed"
    case .refused: "refused: data would be lost"
    case .misuse: "misuse"
    case .badFile: "bad migration, schema or plan file"
    case .noStore: "no such store, or a directory"
    case .cannotCreate: "can't create a file"
    case .ioError: "unreadable, or an I/O error"
    case .interrupted: "interrupted by Control-C (SIGINT)"
    case .terminated: "ended by SIGTERM"
    }
  }
}
