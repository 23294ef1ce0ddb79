import JSONText
import Platform
import StoreFixtures
import StoreMigration
package import Migrations

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
