import JSONText
import SafeText
import StoreAnonymising
import StoreMigration
import StoreModel

/// The report of `fixture anonymise`.
struct AnonymisedFixture: Report {
  /// The paths, as typed.
  let store: String
  let path: String

  let result: AnonymisedStore

  var hasChangedFiles: Bool { true }

  func lines(_ style: Style) -> [String] {
    let rows = result.tables.map { table in
      [
        Cell(table.name), Cell(table.rows.counted("row")),
        Cell(table.rows == table.ofRows ? "" : "of \(table.ofRows.grouped)"),
      ]
    }
    let counts = replaced.map { $0.count.counted($0.noun) }.joined(separator: ", ")
    return ["Created \(path.printable). Nothing of \(store.printable) was found in it.", ""]
      + Columns(rows: rows).lines(style) + ["", "Replaced: \(counts)."]
      + (result.replaced.dates > 0
        ? ["All dates are moved by the same number of days, so one known date gives the others."]
        : [])
      + (result.externalFiles > 0
        ? ["Random bytes: \(Int64(result.externalFiles).counted("external file"))."] : [])
      + result.kept.lines
      + [
        "To check it:  "
          + style.command(["fixture", "anonymise", "--check", store.shellPath, path.shellPath])
      ]
  }

  private var replaced: [(key: String, noun: String, count: Int64)] {
    let counts = result.replaced
    return [
      ("texts", "text", counts.texts), ("numbers", "number", counts.numbers),
      ("dates", "date", counts.dates), ("uuids", "UUID", counts.uuids),
      ("booleans", "Boolean", counts.flags), ("bytes", "blob", counts.bytes),
    ]
  }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(path)),
      .init(
        "tables",
        JSONValue(result.tables) {
          ["name": .string($0.name), "rows": .int($0.rows), "of_rows": .int($0.ofRows)]
        }),
      .init("replaced", .object(replaced.map { .init($0.key, .int($0.count)) })),
      .init("external_files", JSONValue(result.externalFiles)),
      .init("kept", result.kept.json),
    ]
  }
}

/// The report of `fixture anonymise --check`.
struct CheckedAnonymity: Report {
  /// The path, as typed.
  let path: String

  let result: CheckedResult

  var exitStatus: ExitStatus { result.traces.isEmpty ? .done : .verificationFailed }

  func lines(_ style: Style) -> [String] {
    guard !result.traces.isEmpty else {
      return ["Nothing of the original was found in \(path.printable)."] + result.kept.lines
    }
    return ["\(path.printable) has something of the original; don't share it:"]
      + result.traces.map { "  " + $0.description.printable }
  }

  var members: [JSONValue.Member] {
    [
      .init("store", .string(path)), .init("is_clean", .bool(result.traces.isEmpty)),
      .init(
        "found",
        JSONValue(result.traces) {
          [
            "kind": .string($0.kind.rawValue), "place": .string($0.place),
            "count": JSONValue($0.count),
          ]
        }), .init("kept", result.kept.json),
    ]
  }
}

extension KeptNames {
  fileprivate var lines: [String] {
    [
      "Kept: \(Int64(model.count).counted("name")) of the model, \(Int64(schema.count).grouped) of the schema, "
        + "\(Int64(keys.count).counted("JSON key"))"
        + (values.isEmpty ? "; no values." : "; and, where a row has them, these values:")
    ]
      + values.sorted { $0.key < $1.key }.map { place, words in
        "  \(place): \(words.count > 40 ? "\(words.count) words" : words.joined(separator: ", "))"
          .printable
      } + ["'--json' lists all of them."]
  }

  fileprivate var json: JSONValue {
    [
      "model": JSONValue(model) { .string($0) }, "schema": JSONValue(schema) { .string($0) },
      "json_keys": JSONValue(keys) { .string($0) },
      "values": .object(
        values.sorted { $0.key < $1.key }.map { place, words in
          .init(place, JSONValue(words) { .string($0) })
        }),
    ]
  }
}
