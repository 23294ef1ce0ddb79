import JSONText
import Platform
import StoreMigration
package import Migrations
package import RowRewriting

/// What the process of one store printed, and how it ended.
struct StoreResult {
  /// The path, as it was typed.
  let store: String

  /// The document that it printed, or one that says why there is none.
  var document: JSONValue

  /// What it means to a script.
  let exitStatus: StoreMigration.ExitStatus

  init(_ store: String, _ end: Program.Outcome) {
    self.store = store
    if let status = StoreMigration.ExitStatus(rawValue: end.status),
      let document = try? JSONNode(parsing: end.output)
    {
      (self.document, exitStatus) = (document.json, status)
    } else {
      let failure = Failure(.failed, Self.reason(end))
      document = ["format_version": 1, "store": .string(store), "error": failure.json]
      exitStatus = .failed
    }
    message = document["error"]?["message"]?.text
  }

  /// What went wrong, in words.
  let message: String?

  private static func reason(_ end: Program.Outcome) -> String {
    end.signal.map { "its run was ended by signal \($0); run it again" }
      ?? "its run ended without a report; run it again"
  }

  /// A Boolean value indicating whether the store is migrated.
  var isDone: Bool { exitStatus == .done }

  /// A Boolean value indicating whether it wasn't before.
  var isOfChange: Bool { document["changes"] == .bool(true) }

  /// The document on one line.
  var line: String { document.text() }

  /// A line for people.
  func sentence(_ style: Style) -> String {
    if let message { return "Error: \(store.printable): \(message)" }
    let from = document["from"]?.text ?? ""
    let to = document["to"]?.text ?? ""
    let app = document["app"]?.text ?? ""
    let path = store.printable
    guard isOfChange else {
      return "\(path)  \(app) \(to) already".printable
    }
    let rows: Int64 = if case .int(let count)? = document["rows_written"] { count } else { 0 }
    return "\(path)  \(app) \(from) -> \(to)".printable + "  \(rows.counted("row")) written, "
      + style(.good, "verified")
  }
}

extension JSONValue {
  fileprivate var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}

extension JSONNode {
  /// The value to be written again; numbers of this tool's documents are whole or short.
  fileprivate var json: JSONValue {
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let spelling): Int64(spelling).map { .int($0) } ?? .double(Double(spelling) ?? 0)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(\.json))
    case .object(let members): .object(members.map { .init($0.key, $0.node.json) })
    }
  }
}
