package import Platform
package import SQLite
package import StoreFormat

/// A reason why there is no fixture.
package enum FixtureError: Error, Hashable, Sendable {
  /// A number in the options is below zero.
  case negative(String, Int)

  /// A file stands where the fixture was to go.
  case exists(String)

  /// The system doesn't say what stands where the fixture is to go.
  case place(SystemError)

  /// The model can't be written into a store.
  case model(ArchiveError)

  /// SQLite couldn't write the file.
  case sqlite(SQLiteError, path: String)
}

extension FixtureError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .negative(let name, let number):
      "a fixture can't have \(number) \(name); give 0 or more"
    case .exists(let path): "'\(path)' exists; remove it or choose another path"
    case .place(let error): "\(error); choose another path"
    case .model(let error): "the model can't be written into a store: \(error)"
    case .sqlite(let error, let path): "can't create '\(path)': \(error)"
    }
  }
}
