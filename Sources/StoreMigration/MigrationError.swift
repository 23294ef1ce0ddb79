package import JSONText
package import Platform
package import SQLite
package import StoreFormat

/// A reason why a store isn't read, migrated, verified or rolled back.
package enum MigrationError: Error, Hashable, Sendable {
  // What is wrong with the file.

  /// There is nothing at the path.
  case noSuchStore(String)

  /// The path is that of a directory.
  case directory(String)

  /// The file has no bytes.
  case emptyFile(String)

  /// The file doesn't begin as SQLite's do.
  case notADatabase(String)

  /// The file's bytes look like noise from the first one on.
  case encrypted(String)

  /// The file has fewer bytes than its header says.
  case truncated(String, found: Int64, expected: Int64)

  /// SQLite can't read the file.
  case damaged(String, SQLiteError)

  /// The system doesn't let the file be read.
  case unreadable(SystemError)

  /// The database has none of Core Data's tables.
  case notAStore(String, StoreFormatError)

  /// The write-ahead log was there when the store was found, and isn't any more.
  case walIsGone(String)

  /// A folder, a link or a pipe stands where SQLite keeps a file beside the store.
  case strangeCompanion(String, suffix: String)

  /// A writer was interrupted: the store has to be rolled back from its journal before it can be read.
  case hotJournal(String)

  /// The store's file can't be written.
  case readOnly(String)

  /// Other names lead to the same file, and an exchange would leave them the old content.
  case hasOtherLinks(String, count: UInt64)

  // What is wrong with the model.

  /// The store is at no version that is known.
  case unknown(String, summary: String)

  /// The store's metadata, model cache and tables disagree.
  case torn(String, findings: [String])

  /// The store's metadata or cached model is missing or can't be read.
  case noModel(String, reasons: [String])

  /// Only the entities that migrations touch are those of the version.
  case partial(String, version: String)

  /// The store has what no migration carries.
  case unsupported(String, reasons: [String])

  /// A schema that the store is to be brought to is of another app.
  case otherApp(String, expected: String)

  /// A row breaks a rule of the table that it is to be in, in SQLite's words.
  case brokenRule(String, rule: String)

  // What can't be done with what was asked.

  /// The app has no version of the name.
  case noVersion(String, app: String, known: [String])

  /// No migrations lead from one version to the other.
  case noPath(from: String, to: String)

  /// The models alone don't say how to get from one to the other.
  case undecided(from: String, to: String, questions: [String])

  /// The target is older than the store.
  case backward(from: String, to: String)

  /// Rows need an owner, and the store doesn't name exactly one.
  case userIDNeeded(candidates: Int)

  /// Rows are asked for in the form that the app sends, where no outbox takes that form.
  case noDelivery(app: String, to: String)

  /// The store has no outbox of which is known what the app does with it.
  case noQueue(String)

  /// No apply that made the store kept rows out of it.
  case noQuarantine(String)

  /// The file of the rows that were kept out isn't where it was left.
  case lostQuarantine(String, rows: Int64)

  /// The row isn't in the quarantine.
  case notInQuarantine(String)

  /// The owner that was given is blank, or no text that could be one.
  case badUserID

  /// Values would be lost that nobody accepted to lose.
  case dataLoss([PlannedLoss])

  /// A loss is accepted that the plan doesn't have.
  case unknownLoss(String, known: [String])

  /// The app wrote to the store after it was migrated.
  case laterChanges([EntityChange])

  /// What apply did can't be done again, so that later changes can't be told from it.
  case cannotReplay(String, reason: String)

  /// A text names no row.
  case badRow(String)

  /// The store has no entity of the name.
  case noEntity(String, known: [String])

  /// The store has no such row.
  case noRow(String)

  /// Several rows have the UUID.
  case severalRows(String, [String])

  /// A plan can't be carried out any more: what it was made from isn't as it was.
  case stalePlan([PlanMove])

  /// The store has no snapshot.
  case noSnapshot(String)

  /// No receipt is of the store as it is.
  case noReceipt(String)

  /// The store has no snapshot of the name.
  case unknownSnapshot(String, known: [String])

  /// A snapshot isn't what its receipt says.
  case badSnapshot(String, reason: String)

  /// The store isn't at the version that its last apply left it at.
  case notThere(String, expected: String)

  // What went wrong on the way.

  /// Other processes have the store open.
  case inUse(String, holders: [String])

  /// A row has a value that can't be carried.
  case value(entity: String, key: Int64, attribute: String, reason: String)

  /// The new store isn't what the plan says.
  case verificationFailed(String, findings: [String])

  /// The disk has too little room for a new store.
  case noRoom(String, needed: Int64, free: Int64)

  /// A file can't be created beside the store.
  case cannotCreate(SystemError)

  /// The system failed in reading or writing.
  case io(SystemError)

  /// The new store is in place, and the system failed in what was left to do.
  case unfinished(String, SystemError)

  /// SQLite failed.
  case sqlite(SQLiteError)

  /// The store can't be read as one.
  case format(StoreFormatError)

  /// A migration doesn't lead from one model to another.
  case lineage(LineageError)

  /// The tables of a store can't be made from those of another.
  case program(ProgramError)

  /// A file of schemas or migrations isn't as it should be.
  case file(JSONError)
}

/// How many rows of an entity were added, changed and removed.
package struct EntityChange: Hashable, Sendable {
  /// The entity's name.
  package let entity: String

  /// The rows that are new.
  package let added: Int64

  /// The rows that have another value.
  package let changed: Int64

  /// The rows that are no more.
  package let removed: Int64

  package init(entity: String, added: Int64, changed: Int64, removed: Int64) {
    self.entity = entity
    self.added = added
    self.changed = changed
    self.removed = removed
  }
}

extension MigrationError {
  /// The exit status that tells a script what kind of error this is.
  package var exitStatus: ExitStatus {
    switch self {
    case .noSuchStore, .directory: .noStore
    case .emptyFile, .notADatabase, .encrypted, .truncated, .damaged, .notAStore, .walIsGone,
      .strangeCompanion,
      .unknown, .torn, .noModel, .partial, .unsupported, .brokenRule, .value, .program:
      .unknownStore
    case .unreadable, .io, .unfinished, .hotJournal: .ioError
    case .sqlite(let error):
      error.isBusy
        ? .inUse : error.isFull || error.isIO || error.isCantOpen ? .ioError : .failed
    case .format: .unknownStore
    case .inUse, .hasOtherLinks: .inUse
    case .noVersion, .noPath, .backward, .userIDNeeded, .noDelivery, .noQueue, .badUserID,
      .unknownLoss, .unknownSnapshot, .otherApp,
      .badRow, .noEntity, .noRow, .severalRows, .notInQuarantine:
      .misuse
    case .stalePlan: .stalePlan
    case .dataLoss, .laterChanges, .cannotReplay: .refused
    case .noSnapshot, .noReceipt, .noQuarantine, .lostQuarantine, .badSnapshot, .notThere: .failed
    case .verificationFailed: .verificationFailed
    case .noRoom, .cannotCreate, .readOnly: .cannotCreate
    case .lineage, .file, .undecided: .badFile
    }
  }
}
