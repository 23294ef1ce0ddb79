import Platform
import SQLite
import StoreAccess

extension Diagnosis.Cause {
  /// Creates the cause for an error of opening a store; `nil` if the store only is in use.
  init?(_ error: StoreAccessError, path: String) {
    switch error {
    case .noSuchStore, .directory:
      self.init(
        code: .noStore, sentence: "there is no store at the path, so the app creates an empty one",
        next: [.advice("check the path; an app with an app group keeps its store there")])
    case .unreadable(let error):
      self.init(
        code: .unreadable, sentence: "the system denies reading the store",
        errors: [.noPermission, .sqliteCannotOpen], evidence: [error.description],
        next: [.advice("check the permissions of the file and of its folder")])
    case .strangeCompanion(_, let suffix):
      self.init(
        code: .strangeCompanion,
        sentence: "'\(path)\(suffix)' isn't a file, but SQLite keeps a part of the store there",
        errors: [.sqliteCannotOpen, .cannotOpen],
        next: [.advice("move '\(path)\(suffix)' away")])
    case .missingWAL:
      self.init(missingLogOf: path, evidence: "the log's index '\(path)-shm' counts newer rows")
    case .hotJournal:
      self.init(
        code: .hotJournal, sentence: "a write was interrupted, and must be rolled back first",
        evidence: ["'\(path)-journal' has a part of the old file"],
        next: [.advice("open a copy in the app, which rolls it back; keep the journal beside it")])
    case .emptyFile, .encrypted, .notADatabase, .truncated: self.init(content: error)
    case .damaged, .notAStore, .inUse, .readOnly, .cannotCreate, .io, .sqlite, .brokenRule:
      self.init(other: error)
    }
  }

  /// Creates the cause for a file whose bytes aren't a database.
  private init?(content error: StoreAccessError) {
    let copy = Diagnosis.NextStep.advice(
      "copy the store again, with its '-wal' and '-shm' files, while the app isn't running")
    switch error {
    case .emptyFile:
      self.init(
        code: .emptyFile, sentence: "the file is empty: it was never written, or not copied",
        evidence: ["it has zero bytes"], next: [copy])
    case .encrypted:
      self.init(
        code: .encrypted, sentence: "the file looks encrypted, or is overwritten with other bytes",
        errors: [.sqliteNotADatabase, .wrongFormat],
        evidence: ["its first bytes aren't SQLite's header, and look random"],
        next: [.advice("decrypt it with the app's key, or get a copy from an unlocked device")])
    case .notADatabase:
      self.init(
        code: .notADatabase, sentence: "the file isn't a SQLite database",
        errors: [.sqliteNotADatabase, .wrongFormat],
        evidence: ["its first bytes aren't SQLite's header"], next: [copy])
    case .truncated(_, let found, let expected):
      self.init(
        code: .truncated, sentence: "the file was cut: a copy or a write ended early",
        errors: [.sqliteCorrupt, .cannotOpen],
        evidence: ["it has \(found) of \(expected) bytes"], next: [copy])
    case .noSuchStore, .directory, .strangeCompanion, .damaged, .notAStore, .missingWAL,
      .hotJournal, .brokenRule, .inUse, .readOnly, .unreadable, .cannotCreate, .io, .sqlite:
      return nil
    }
  }

  private init?(other error: StoreAccessError) {
    switch error {
    case .damaged(let path, let error):
      self.init(
        code: .damaged, sentence: "the file is damaged so that SQLite can't read its tables",
        errors: [.sqliteCorrupt, .cannotOpen], evidence: ["SQLite: \(error.message)"],
        next: [
          .command(["repair", path, "--dry-run"]),
          .advice(
            "if 'repair' can't read it either, get a copy from a backup, "
              + "or save rows of a copy with '.recover' in 'sqlite3'"),
        ])
    case .notAStore(_, let error):
      self.init(
        code: .notAStore, sentence: "the file is a database, but not a store of Core Data",
        errors: [.incompatibleSchema], evidence: ["\(error)"],
        next: [.advice("give the file that the app's configuration of its store names")])
    case .inUse: return nil
    case .readOnly:
      self.init(
        code: .readOnly, sentence: "the store can't be written", errors: [.sqliteReadOnly],
        next: [.advice("check the permissions")])
    case .cannotCreate(let error), .io(let error):
      self.init(
        code: .failing, sentence: "the system failed to read the store", errors: [.cannotOpen],
        evidence: [error.description], next: [.advice("check the disk")])
    case .sqlite(let error):
      self.init(
        code: .failing, sentence: "SQLite can't read the store", errors: [.cannotOpen],
        evidence: ["SQLite: \(error.message) (\(error.code))"],
        next: [.advice("check the permissions, and the files beside the store")])
    case .brokenRule, .noSuchStore, .directory, .strangeCompanion, .emptyFile, .notADatabase,
      .encrypted, .truncated, .missingWAL, .hotJournal, .unreadable:
      self.init(
        code: .failing, sentence: "the store can't be read", evidence: [error.description])
    }
  }

  /// Creates the cause of a log that is missing.
  init(missingLogOf path: String, evidence: String) {
    self.init(
      code: .missingLog,
      sentence: "the log '\(path)-wal' is missing, which had the newest rows: "
        + "an app that opens the store doesn't see them",
      evidence: [evidence, "there is no '\(path)-wal'"],
      next: [
        .advice("copy all three files again: the store, '-wal' and '-shm'"),
        .command(["status", path]),
      ])
  }
}
