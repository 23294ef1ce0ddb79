/// What a run means to the process that started it.
///
/// One table for help, man page and README; scripts branch on the numbers.
public enum ExitStatus: Int32, CaseIterable, Hashable, Sendable {
  case done = 0
  case failed = 1
  case changesPending = 2
  case stalePlan = 3
  case unknownStore = 4
  case inUse = 5
  case verificationFailed = 6
  case refused = 7
  case misuse = 64
  case badFile = 65
  case noStore = 66
  case cannotCreate = 73
  case ioError = 74

  /// The meaning, as the table states it.
  public var meaning: String {
    switch self {
    case .done: "done, or nothing to do"
    case .failed: "failed"
    case .changesPending: "changes pending (plan --detailed-exitcode), or stores differ (diff)"
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
