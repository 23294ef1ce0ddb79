package import Platform
package import SQLite
package import StoreFormat

/// An error when creating a fixture.
package enum FixtureError: Error, Hashable, Sendable {
  /// A number in the options is negative.
  case negative(String, Int)

  /// A file exists at the path.
  case exists(String)

  /// The folder of the path doesn't exist.
  case noFolder(String)

  /// The system can't tell whether a file exists at the path.
  case inaccessible(SystemError)

  /// The model can't be encoded for a store.
  case model(ArchiveError)

  /// SQLite can't write the file.
  case sqlite(SQLiteError, path: String)
}

extension FixtureError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .negative(let name, let number):
      "a fixture can't have \(number) \(name); give 0 or more"
    case .exists(let path): "'\(path)' exists; remove it or choose another path"
    case .noFolder(let path): "there is no folder '\(path)'; create it first"
    case .inaccessible(let error): "\(error); choose another path"
    case .model(let error): "the model can't be stored: \(error)"
    case .sqlite(let error, let path): "can't create '\(path)': \(error); check the folder"
    }
  }
}
