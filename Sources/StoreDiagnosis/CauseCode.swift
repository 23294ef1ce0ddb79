/// What keeps an app from opening a store, or from finding its rows there.
///
/// Raw values are stable codes for scripts. The order is that of reports: what is found first
/// explains what comes after it.
package enum CauseCode: String, CaseIterable, Hashable, Sendable {
  // The files.

  /// There is no store at the path.
  case noStore = "no-store"

  /// The main file is missing, and its log is there.
  case noMainFile = "no-main-file"

  /// The system or the file's mode denies reading.
  case unreadable

  /// A folder, link or pipe has the name of a file beside the store.
  case strangeCompanion = "strange-companion"

  case emptyFile = "empty-file"
  case encrypted
  case notADatabase = "not-a-database"
  case truncated

  /// The log is missing, and it had newer rows.
  case missingLog = "missing-log"

  /// The log is there, but SQLite can't use it.
  case unusableLog = "unusable-log"

  /// An interrupted write must be rolled back.
  case hotJournal = "hot-journal"

  /// SQLite can't read the file at all.
  case damaged

  /// The database has none of Core Data's tables.
  case notAStore = "not-a-store"

  /// SQLite failed for another reason.
  case failing

  // The store against itself.

  /// The metadata is missing or can't be read.
  case noMetadata = "no-metadata"

  /// The cached model can't be read, or its hashes aren't those of the metadata.
  case badModelCache = "bad-model-cache"

  /// Tables don't have what the model says.
  case torn

  // The store against the app.

  /// Two versions of the app have the same checksum.
  case duplicateChecksums = "duplicate-checksums"

  /// The store belongs to another app.
  case otherApp = "other-app"

  /// The store is newer than the app.
  case newerStore = "newer-store"

  /// No version of the app has the store's model.
  case unknownModel = "unknown-model"

  /// A mandatory attribute gets no value.
  case noValue = "no-value"

  /// Core Data can't infer the migration.
  case notInferred = "not-inferred"

  /// Rows break a new unique constraint.
  case duplicateRows = "duplicate-rows"

  /// The app's model breaks CloudKit's rules.
  case cloudKitRules = "cloudkit-rules"

  /// The app's own migration drops rows or values.
  case losesData = "loses-data"

  /// The app must migrate the store, and only its migration plan, if it has one, says whether it can.
  case otherModel = "other-model"

  // The rows.

  /// A table or an index is damaged.
  case damagedTable = "damaged-table"

  /// Rows have an entity number that isn't in the model.
  case strangeRows = "strange-rows"

  /// The highest key is lower than that of a row.
  case keysTooLow = "keys-too-low"

  /// Mandatory attributes have no value.
  case missingValues = "missing-values"

  /// Values have a type that their attribute can't have.
  case wrongTypes = "wrong-types"

  /// Links lead to rows that aren't there.
  case danglingLinks = "dangling-links"

  case missingIndex = "missing-index"

  /// Files with values are missing.
  case externalFiles = "external-files"

  /// The history contradicts the model.
  case history

  /// The tables of mirroring contradict the model.
  case mirroring

  /// The store has triggers that Core Data doesn't create.
  case strangeTriggers = "strange-triggers"

  // The surroundings.

  /// A run of this tool was killed.
  case interruptedRun = "interrupted-run"

  /// A migration by the app was killed.
  case interruptedMigration = "interrupted-migration"

  /// Another process has the store open.
  case inUse = "in-use"

  /// The store can't be written.
  case readOnly = "read-only"

  /// The disk is full.
  case noRoom = "no-room"

  /// Whether the app can't open the store; else it opens, and fails or lacks rows later.
  package var preventsOpening: Bool {
    switch self {
    case .noStore, .missingLog, .unusableLog, .hotJournal, .losesData, .otherModel, .damagedTable,
      .strangeRows, .keysTooLow, .missingValues, .wrongTypes, .danglingLinks, .missingIndex,
      .externalFiles, .history, .mirroring, .strangeTriggers, .interruptedRun,
      .interruptedMigration, .inUse, .torn:
      false
    case .noMainFile, .unreadable, .strangeCompanion, .emptyFile, .encrypted, .notADatabase,
      .truncated, .damaged, .notAStore, .failing, .noMetadata, .badModelCache,
      .duplicateChecksums, .otherApp, .newerStore, .unknownModel, .noValue, .notInferred,
      .duplicateRows, .cloudKitRules, .readOnly, .noRoom:
      true
    }
  }
}
