/// What a run means to the process that started it.
///
/// One table for help, man page and README; scripts branch on the numbers.
public enum ExitStatus: Int32, CaseIterable, Hashable, Sendable {
  /// The work is done, or there was nothing to do.
  case done = 0

  /// The work failed for a reason that has no status of its own.
  case failed = 1

  /// A plan has changes, or two models differ, where that was asked for.
  case changesPending = 2

  /// The store changed since the plan was made.
  case stalePlan = 3

  /// The file is no store, is at no version that is known, or disagrees with itself.
  case unknownStore = 4

  /// Another process has the store open, or another name leads to it.
  case inUse = 5

  /// A check of a store failed.
  case verificationFailed = 6

  /// Data would be lost, and nobody accepted it.
  case refused = 7

  /// The command line asks for what there isn't (`EX_USAGE` of `sysexits.h`).
  case misuse = 64

  /// A migration, schema or plan file isn't as it should be (`EX_DATAERR`).
  case badFile = 65

  /// There is no store at the path (`EX_NOINPUT`).
  case noStore = 66

  /// A file can't be created (`EX_CANTCREAT`).
  case cannotCreate = 73

  /// A file can't be read or written (`EX_IOERR`).
  case ioError = 74

  /// The meaning, as the table states it.
  public var meaning: String {
    switch self {
    case .done: "done, or nothing to do"
    case .failed: "failed"
    case .changesPending: "changes pending (plan --detailed-exitcode), or the stores differ (diff)"
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
    }
  }
}
