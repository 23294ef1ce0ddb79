import JSONText
import Platform
import StoreFixtures
import StoreMigration

/// What went wrong, as people and scripts are told.
struct Failure: Error, Hashable {
  /// The exit status.
  let status: StoreMigration.ExitStatus

  /// The sentence, lower case, without a period; control characters are escaped.
  let message: String

  /// A Boolean value indicating whether the sentence begins with its place in a file.
  let hasPlace: Bool

  init(_ status: StoreMigration.ExitStatus, _ message: String, hasPlace: Bool = false) {
    self.status = status
    self.message = message.printable
    self.hasPlace = hasPlace
  }

  /// The line on standard error.
  var line: String { hasPlace ? "\(message)\n" : "Error: \(message)\n" }

  /// The error in JSON documents.
  var json: JSONValue {
    ["status": .int(Int64(status.rawValue)), "message": .string(message)]
  }
}

extension Failure {
  init(_ error: MigrationError) {
    if case .file(let error) = error {
      self.init(error)
    } else {
      self.init(error.exitStatus, error.description)
    }
  }

  /// The failure behind an error that a command threw.
  init(any error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as SystemError: self.init(.ioError, error.description)
    default: preconditionFailure("a command throws a failure or a system's error, not \(error)")
    }
  }

  init(_ error: JSONError) {
    self.init(.badFile, error.description, hasPlace: error.file != nil)
  }
}
