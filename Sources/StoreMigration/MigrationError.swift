import JSONText
import Platform
import SQLite
import StoreFormat

/// A reason why a store isn't read, migrated, verified or rolled back.
public enum MigrationError: Error, Hashable, Sendable {
  // What is wrong with the file.
  case noSuchStore(String)
  case directory(String)
  case emptyFile(String)
  case notADatabase(String)
  case encrypted(String)
  case truncated(String, found: Int64, expected: Int64)
  case damaged(String, SQLiteError)
  case unreadable(SystemError)
  case notAStore(String, StoreFormatError)
  case walIsGone(String)
  case hasOtherLinks(String, count: UInt64)

  // What is wrong with the model.
  case unknown(String, summary: String)
  case torn(String, findings: [String])
  case noModel(String, reasons: [String])
  case partial(String, version: String)
  case unsupported(String, reasons: [String])

  // What can't be done with what was asked.
  case noVersion(String, app: String, known: [String])
  case noPath(from: String, to: String)
  case undecided(from: String, to: String, questions: [String])
  case backward(from: String, to: String)
  case userIDNeeded(candidates: Int)
  case dataLoss([PlannedLoss])
  case unknownLoss(String, known: [String])
  case laterChanges([EntityChange])
  case noSnapshot(String)
  case unknownSnapshot(String, known: [String])
  case badSnapshot(String, reason: String)
  case notThere(String, expected: String)

  // What went wrong on the way.
  case inUse(String, holders: [String])
  case value(entity: String, key: Int64, attribute: String, reason: String)
  case verificationFailed(String, findings: [String])
  case cannotCreate(SystemError)
  case io(SystemError)
  case sqlite(SQLiteError)
  case format(StoreFormatError)
  case lineage(LineageError)
  case program(ProgramError)
  case file(JSONError)
}

/// How many rows of an entity were added, changed and removed.
public struct EntityChange: Hashable, Sendable {
  public let entity: String
  public let added: Int64
  public let changed: Int64
  public let removed: Int64

  public init(entity: String, added: Int64, changed: Int64, removed: Int64) {
    self.entity = entity
    self.added = added
    self.changed = changed
    self.removed = removed
  }
}

extension MigrationError {
  /// The exit status that tells a script what kind of error this is.
  public var exitStatus: ExitStatus {
    switch self {
    case .noSuchStore, .directory: .noStore
    case .emptyFile, .notADatabase, .encrypted, .truncated, .damaged, .notAStore, .walIsGone,
      .unknown, .torn, .noModel, .partial, .unsupported, .value, .program:
      .unknownStore
    case .unreadable, .io: .ioError
    case .sqlite(let error): error.isBusy ? .inUse : error.isFull || error.isIO ? .ioError : .failed
    case .format: .unknownStore
    case .inUse, .hasOtherLinks: .inUse
    case .noVersion, .noPath, .backward, .userIDNeeded, .unknownLoss, .unknownSnapshot: .misuse
    case .dataLoss, .laterChanges: .refused
    case .noSnapshot, .badSnapshot, .notThere: .failed
    case .verificationFailed: .verificationFailed
    case .cannotCreate: .cannotCreate
    case .lineage, .file, .undecided: .badFile
    }
  }
}
