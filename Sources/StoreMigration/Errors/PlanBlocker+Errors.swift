import StoreExchange
import StoreAccess
import Migrations
import RowRewriting

extension PlanBlocker {
  /// Creates the blocker for an error that `apply` would end with.
  init(_ error: MigrationError) {
    self.init(
      code: error.blockerCode, message: error.description, exitStatus: error.exitStatus)
  }

  /// Creates the blocker for rows that can't be written.
  init(_ error: RowError) {
    let wrapped = MigrationError(.row(error))
    self.init(
      code: wrapped.blockerCode, message: wrapped.description, entity: error.entity,
      keys: error.keys, rows: error.count, exitStatus: wrapped.exitStatus)
  }
}

extension MigrationError {
  fileprivate var blockerCode: String {
    switch cause {
    case .access(let error): error.blockerCode
    case .version(.mirrored(_, let obstacle)): obstacle.code
    case .version, .file, .program: "migration"
    case .row: "row-refused"
    case .verification: "verification"
    case .exchange(let error): error.blockerCode
    case .request(let error): error.blockerCode
    }
  }
}

extension StoreAccessError {
  fileprivate var blockerCode: String {
    switch self {
    case .inUse: "in-use"
    case .readOnly, .cannotCreate, .unreadable: "permissions"
    case .brokenRule: "rule-broken"
    case .emptyFile, .notADatabase, .encrypted, .truncated, .damaged, .notAStore: "damaged"
    case .noSuchStore, .directory, .strangeCompanion, .missingWAL, .hotJournal, .io, .sqlite:
      "unreadable"
    }
  }
}

extension ExchangeError {
  fileprivate var blockerCode: String {
    switch self {
    case .hasOtherLinks: "hard-links"
    case .unsupportedExternalFile: "external-data"
    case .noRoom, .noFreeFiles: "disk-space"
    case .protected, .ownedByOther, .otherOwner: "permissions"
    case .nameTooLong: "name-too-long"
    case .unfinished, .noSnapshot, .unknownSnapshot, .badSnapshot: "unreadable"
    }
  }
}

extension RequestError {
  fileprivate var blockerCode: String {
    switch self {
    case .userIDNeeded: "user-id-needed"
    case .dataLoss: "data-loss"
    case .badUserID, .noDelivery, .documentedRows, .noQueue, .noQuarantine, .lostQuarantine,
      .notInQuarantine,
      .unknownLoss, .laterChanges, .mirroredChanges, .cannotReplay, .stalePlan, .notThere,
      .tornSince, .noReceipt, .cancelled, .badRow,
      .noAttribute,
      .noEntity, .noRow, .severalRows:
      "request"
    }
  }
}
