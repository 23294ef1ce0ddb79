package import Platform
package import SQLite
package import StoreAccess

/// An error when anonymising a store, or when checking a result.
package enum AnonymisingError: Error, Hashable, Sendable {
  /// A store can't be read.
  case access(StoreAccessError)

  /// A store has no model that can be read, so nobody knows what its columns contain.
  case noModel(String)

  /// A store's schema has something that no store of Core Data has.
  case strangeSchema(String, reason: String)

  /// The files of a store are larger than the proof can hold.
  case tooLarge(String, bytes: Int64, limit: Int64)

  /// A file exists at the path of the result.
  case exists(String)

  /// The result's name is one that SQLite gives to a store's log, index or journal.
  case companionName(String)

  /// The folder of the result doesn't exist.
  case noFolder(String)

  /// A number in the options is negative.
  case noRows(Int)

  /// No replacement was found for a value that the original doesn't have.
  case noReplacement(String)

  /// The result has a log or a journal, whose contents the check can't account for.
  case hasLog(String)

  /// What was written didn't pass its own check.
  case unproven([LeftTrace])

  /// The system refused something.
  case system(SystemError)

  /// SQLite can't write the result.
  case sqlite(SQLiteError, path: String)
}

extension AnonymisingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .access(let error): error.description
    case .noModel(let path):
      "'\(path)' has no model that can be read; give the model of its version with '--model'"
    case .strangeSchema(let path, let reason):
      "'\(path)' can't be anonymised: \(reason), so its statements can't be copied safely"
    case .tooLarge(let path, let bytes, let limit):
      "the files of '\(path)' have \(bytes) bytes, and the proof is limited to \(limit) bytes"
    case .exists(let path): "'\(path)' exists; remove it or choose another path"
    case .companionName(let path):
      "'\(path)' is a name for a part of another store; choose one without '-wal', '-shm' or '-journal' at its end"
    case .noFolder(let path): "there is no folder '\(path)'; create it first"
    case .noRows(let count): "a result can't have \(count) rows; give 1 or more"
    case .noReplacement(let place):
      "every replacement that was tried for a value of '\(place)' is in the store; use another '--seed', or '--rows' to write fewer values"
    case .hasLog(let path):
      "'\(path)' has a log, so the check can't see all of its content; close the app that wrote it"
    case .unproven(let traces):
      "the result was removed, because it has something of the original: "
        + traces.prefix(3).map(\.description).joined(separator: "; ") + "; use another '--seed'"
    case .system(let error): error.description
    case .sqlite(let error, let path): "can't write '\(path)': \(error); check the folder"
    }
  }
}

/// Something of an original that a result has, without its value.
package struct LeftTrace: Hashable, Sendable, CustomStringConvertible {
  /// What was found.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A whole text, or one of its words.
    case text

    /// A number with more than six significant digits.
    case number

    /// A date.
    case date

    /// A UUID.
    case uuid

    /// Eight bytes in a row.
    case run

    /// Bytes of the file outside of its values.
    case slack

    /// A file beside the result that isn't one of a store's, or that a closed store doesn't have.
    case file
  }

  package let kind: Kind

  /// The attribute as `Entity.name`, or the column or file.
  package let place: String

  /// How many times it was found.
  package let count: Int

  package var description: String {
    switch kind {
    case .text: "texts or words in \(place) (\(count))"
    case .number: "numbers in \(place) (\(count))"
    case .date: "dates in \(place) (\(count))"
    case .uuid: "UUIDs in \(place) (\(count))"
    case .run: "runs of eight bytes in \(place) (\(count))"
    case .file: "files that a closed store doesn't have: \(place) (\(count))"
    case .slack: "bytes outside of values in \(place) (\(count))"
    }
  }
}
