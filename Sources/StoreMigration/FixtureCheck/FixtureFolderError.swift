package import JSONText
package import Platform
import Migrations

/// A reason why a fixture can't be checked, or isn't what its folder says.
package enum FixtureFolderError: Error, Hashable, Sendable {
  /// There is nothing at the path.
  case noFolder(String)

  /// The path is that of a file.
  case notAFolder(String)

  /// Neither the folder nor one in it holds anything of a fixture.
  case noFixtures(String)

  /// The folder has no store.
  case noStore(String)

  /// The folder has more stores than one.
  case severalStores(String, names: [String])

  /// The folder doesn't say what the store is migrated with.
  case noOptions(String)

  /// The folder doesn't say what the store must become.
  case noExpectation(String)

  /// A file in the folder isn't as it should be.
  case file(JSONError)

  /// The store can't be taken through its migration: at which stage, and why.
  case failed(String, FixtureStage, reason: String, ExitStatus)

  /// The system failed in reading or writing.
  case system(SystemError)
}

/// What is done to a fixture's store, in order.
package enum FixtureStage: String, CaseIterable, Hashable, Sendable {
  case plan, apply, verify, read
  case rollBack = "roll back"
}

extension FixtureFolderError {
  /// The exit status that tells a script what kind of error this is.
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
      "'\(path)' has no fixture, and no folder with one; put a store, options.json and "
        + "expected.txt into a folder"
    case .noStore(let path): "'\(path)' has no store; put one there whose name ends in '.store'"
    case .severalStores(let path, let names):
      "'\(path)' has \(names.count) stores: \(names.joined(separator: ", ")); keep one"
    case .noOptions(let path):
      "'\(path)' has no options.json; write one, '{}' where there are no options"
    case .noExpectation(let path):
      "'\(path)' has no expected.txt; make it with 'outbox-migrate fixture check --record "
        + "\(path)' and read it"
    case .file(let error): "\(error)"
    case .failed(let path, let stage, let reason, _):
      "'\(path)' fails to \(stage.rawValue): \(reason)"
    case .system(let error): "\(error)"
    }
  }
}
