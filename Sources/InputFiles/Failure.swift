import SafeText
package import JSONText
package import StoreMigration

/// An error as it is reported: an exit status and a message.
package struct Failure: Error, Hashable {
  /// The exit status.
  package let status: ExitStatus

  /// The message, lower case, without a period; control characters are escaped.
  package let message: String

  /// A Boolean value indicating whether the message begins with a position in a file.
  package let hasPosition: Bool

  package init(_ status: ExitStatus, _ message: String, hasPosition: Bool = false) {
    self.status = status
    self.message = message.printable
    self.hasPosition = hasPosition
  }

  /// The line on standard error.
  package var line: String {
    switch status {
    case .interrupted, .terminated: "Stopped: \(message).\n"
    default: hasPosition ? "\(message)\n" : "Error: \(message)\n"
    }
  }

  /// The error in JSON documents.
  package var json: JSONValue {
    ["status": .int(Int64(status.rawValue)), "message": .string(message)]
  }
}
