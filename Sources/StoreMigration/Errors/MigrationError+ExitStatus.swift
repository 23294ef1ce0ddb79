import SQLite
import StoreExchange
import Migrations
import StoreAccess

// The only table that maps errors of all layers to exit statuses.

extension MigrationError {
  /// The exit status that shows a script what kind of error this is.
  public var exitStatus: ExitStatus {
    switch cause {
    case .access(let error): error.exitStatus
    case .version(let error): error.exitStatus
    case .file: .badFile
    case .program, .row: .unknownStore
    case .verification: .verificationFailed
    case .exchange(let error): error.exitStatus
    case .request(let error): error.exitStatus
    }
  }
}

extension StoreAccessError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .noSuchStore, .directory: .noStore
    case .emptyFile, .notADatabase, .encrypted, .truncated, .damaged, .notAStore, .missingWAL,
      .strangeCompanion, .brokenRule:
      .unknownStore
    case .inUse: .inUse
    case .unreadable, .io, .hotJournal: .ioError
    case .readOnly, .cannotCreate: .cannotCreate
    case .sqlite(let error): error.isFull || error.isIO || error.isCantOpen ? .ioError : .failed
    }
  }
}

extension VersionError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .unknown, .torn, .noModel, .partial, .unsupported, .mirrored, .onlyApp: .unknownStore
    case .otherApp, .noVersion, .noTarget, .noPath, .namesake, .unrelated, .backward: .misuse
    case .undecided, .otherCache, .lineage: .badFile
    }
  }
}

extension ExchangeError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .hasOtherLinks: .inUse
    case .unsupportedExternalFile: .unknownStore
    case .noRoom, .noFreeFiles, .protected, .ownedByOther, .otherOwner, .nameTooLong: .cannotCreate
    case .unfinished: .ioError
    case .noSnapshot, .badSnapshot: .failed
    case .unknownSnapshot: .misuse
    }
  }
}

extension RequestError {
  fileprivate var exitStatus: ExitStatus {
    switch self {
    case .userIDNeeded, .badUserID, .noDelivery, .noQueue, .unknownLoss, .notInQuarantine, .badRow,
      .noEntity, .noAttribute, .noRow, .severalRows:
      .misuse
    case .dataLoss, .documentedRows, .laterChanges, .mirroredChanges, .cannotReplay: .refused
    case .stalePlan: .stalePlan
    case .tornSince: .unknownStore
    case .noQuarantine, .lostQuarantine, .noReceipt, .notThere, .cancelled: .failed
    }
  }
}
