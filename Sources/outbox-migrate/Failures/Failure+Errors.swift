import FixtureCheck
import JSONText
import OutboxCore
import Platform
import SQLite
import StoreAnonymising
import StoreFormat
import StoreFixtures
import StoreMigration
import TemplateImport

// The exit statuses of the libraries' errors. Those of migration errors are in StoreMigration.

extension Failure {
  /// Creates the failure for an error that a command threw.
  init(any error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as SystemError: self.init(.ioError, error.description)
    default: preconditionFailure("a command throws a failure or a system's error, not \(error)")
    }
  }

  init(_ error: MigrationError) {
    if case .file(let error) = error.cause {
      self.init(error)
    } else if let path = error.missingStore, let near = Self.path(near: path) {
      self.init(.noStore, "there is no store '\(path)'; did you mean '\(near)'?")
    } else {
      self.init(error.exitStatus, error.description)
    }
  }

  /// Returns the path of a file in the same folder whose name is similar.
  private static func path(near path: String) -> String? {
    let folder = FileSystem.parent(of: path)
    // A common ending such as '.store' alone doesn't make names similar.
    func stem(_ name: some StringProtocol) -> String { String(name.prefix { $0 != "." }) }
    guard let name = path.split(separator: "/").last, path.hasSuffix(name),
      let names = try? FileSystem.list(folder).sorted(),
      let near = nearestName(
        to: String(name),
        among: names.filter { nearestName(to: stem(name), among: [stem($0)]) != nil })
    else { return nil }
    return String(path.dropLast(name.count)) + near
  }

  init(_ error: JSONError) {
    self.init(.badFile, error.description, hasPosition: error.file != nil)
  }

  /// Creates the failure for an error of reading or writing an outbox.
  init(outbox error: any Error, path: String) {
    if let error = error as? OutboxError {
      self.init(error, path: path)
    } else if let error = MigrationError(known: error, path: path) {
      self.init(error)
    } else {
      self.init(any: error)
    }
  }

  private init(_ error: OutboxError, path: String) {
    switch error {
    case .store(let failure):
      switch failure.cause {
      case let cause as StoreFormatError: self.init(MigrationError(wrapping: cause, path: path))
      case let cause as SQLiteError: self.init(MigrationError(wrapping: cause, path: path))
      default: self.init(.failed, failure.description)
      }
    case .noOutbox: self.init(.unknownStore, error.description)
    case .closed, .readOnly, .noSuchUser, .noSuchEvent, .alreadyProcessing, .metadata, .noDefault:
      self.init(.failed, error.description)
    }
  }

  init(_ error: TemplateImportError, preferences: String, store: String) {
    switch error {
    case .noPropertyList, .noDictionary, .noKey, .noJSON, .json:
      self.init(.badFile, "'\(preferences)' \(error)")
    case .noTemplates, .noProfile, .profileNeeded: self.init(.misuse, "'\(store)' \(error)")
    }
  }

  init(_ error: AnonymisingError) {
    let status: ExitStatus
    switch error {
    case .access(let cause):
      self.init(MigrationError(.access(cause)))
      return
    case .noModel, .strangeSchema, .tooLarge: status = .unknownStore
    case .exists, .noFolder, .system, .sqlite: status = .cannotCreate
    case .noRows, .companionName: status = .misuse
    case .noReplacement, .unproven, .hasLog: status = .verificationFailed
    }
    self.init(status, error.description)
  }

  init(_ error: FixtureError) {
    let status: ExitStatus =
      switch error {
      case .negative: .misuse
      case .exists, .noFolder, .inaccessible, .sqlite: .cannotCreate
      case .model: .failed
      }
    self.init(status, error.description)
  }

  init(_ error: FixtureFolderError) {
    if case .file(let error) = error {
      self.init(error)
    } else {
      self.init(error.exitStatus, error.description)
    }
  }
}
