import FixtureCheck
import InputFiles
import OutboxCore
import SQLite
import StoreAnonymising
import StoreFormat
import StoreFixtures
import StoreMigration
import TemplateImport

// The exit statuses of the errors of single commands. Those of migration errors are in StoreMigration.

extension Failure {
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
