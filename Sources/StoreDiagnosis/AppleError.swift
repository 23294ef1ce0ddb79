/// An error as Apple's frameworks report it.
///
/// Numbers are those of Apple's public headers. Which fault leads to which number is known from
/// public reports only (`StoreFormat.md` §15), so it is likely, not certain.
package struct AppleError: Hashable, Sendable {
  /// The domain, such as `NSCocoaErrorDomain`.
  package let domain: String

  /// The number.
  package let code: Int64

  /// What the error says, as far as it is known.
  package let text: String
}

extension AppleError {
  private static func cocoa(_ code: Int64, _ text: String) -> AppleError {
    AppleError(domain: "NSCocoaErrorDomain", code: code, text: text)
  }

  static let noPermission = cocoa(257, "you don't have permission to view the file")
  static let wrongFormat = cocoa(259, "the file isn't in the correct format")
  static let cannotOpen = cocoa(256, "the file couldn't be opened")
  static let diskFull = cocoa(640, "there isn't enough space")
  static let incompatibleSchema = cocoa(134020, "the store's configuration is incompatible")
  static let coreData = cocoa(134060, "a Core Data error occurred")
  static let incompatibleHashes = cocoa(134100, "the store's model is incompatible with the app's")
  static let migration = cocoa(134110, "an error occurred during persistent store migration")
  static let constraint = cocoa(134111, "the migration violates a constraint")
  static let noSourceModel = cocoa(134130, "can't find the model for the source store")
  static let noMapping = cocoa(134140, "the mapping model is missing")
  static let notInferred = cocoa(134190, "a mapping model can't be inferred")
  static let unknownVersion = cocoa(
    134504, "Cannot use staged migration with an unknown model version")
  static let backward = cocoa(
    134506, "A store file cannot be migrated backwards with staged migration")
  static let validation = cocoa(1570, "a mandatory property has no value")

  private static func sqlite(_ code: Int64, _ text: String) -> AppleError {
    AppleError(domain: "NSSQLiteErrorDomain", code: code, text: text)
  }

  static let sqliteReadOnly = sqlite(8, "attempt to write a readonly database")
  static let sqliteCorrupt = sqlite(11, "database disk image is malformed")
  static let sqliteNotADatabase = sqlite(26, "file is not a database")
  static let sqliteCannotOpen = sqlite(14, "unable to open database file")
  static let sqliteBusy = sqlite(5, "database is locked")
  static let sqliteSchema = sqlite(1, "no such column, or no such table")
}
