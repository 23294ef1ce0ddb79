package import StoreMigration
package import JSONText
package import Platform

/// A reason why a fixture can't be checked.
package enum FixtureFolderError: Error, Hashable, Sendable {
  /// There is nothing at the path.
  case noFolder(String)

  /// The path leads to a file.
  case notAFolder(String)

  /// Neither the folder nor a folder in it has a file of a fixture.
  case noFixtures(String)

  /// The folder has no store.
  case noStore(String)

  /// The folder has more than one store.
  case severalStores(String, names: [String])

  /// The folder has no file with options.
  case noOptions(String)

  /// The folder has no file with expected rows.
  case noExpectation(String)

  /// A file in the folder is malformed.
  case file(JSONError)

  /// A stage of the check failed, for a reason and with an exit status.
  case failed(String, FixtureStage, reason: String, ExitStatus)

  /// The system couldn't read or write a file.
  case system(SystemError)
}

/// The stages of a fixture's check, in order.
package enum FixtureStage: String, CaseIterable, Hashable, Sendable {
  case plan, apply, verify, read
  case rollBack = "roll back"
}

extension FixtureFolderError {
  /// The exit status that shows a script what kind of error this is.
  package var exitStatus: ExitStatus {
    switch self {
    case .noFolder, .notAFolder, .noFixtures, .noStore, .noOptions, .noExpectation: .noStore
    case .severalStores, .file: .badFile
    case .failed(_, _, _, let status): status
    case .system: .ioError
    }
  }
}

extension FixtureFolderError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noFolder(let path): "there is no folder '\(path)'; check the path"
    case .notAFolder(let path): "'\(path)' is a file; give the folder that it is in"
    case .noFixtures(let path):
      "'\(path)' isn't a fixture and contains none; a fixture is a folder with a store, "
        + "options.json and expected.txt"
    case .noStore(let path):
      "'\(path)' has no store; add one whose name ends in '.store' or '.sqlite'"
    case .severalStores(let path, let names):
      "'\(path)' has \(names.count) stores: \(names.joined(separator: ", ")); keep one"
    case .noOptions(let path):
      "'\(path)' has no options.json; create it, with '{}' if the migration needs no options"
    case .noExpectation(let path):
      "'\(path)' has no expected.txt; create it with 'outbox-migrate fixture check --record "
        + "\(path)', and review it"
    case .file(let error): "\(error)"
    case .failed(let path, let stage, let reason, _):
      "'\(path)' fails to \(stage.rawValue): \(reason)"
    case .system(let error): "\(error)"
    }
  }
}
