import InputFiles
import SafeText
import JSONText
import ModelSource
import StoreMigration
import StoreModel

/// The report of `schema capture --against`, unless it wrote a file.
struct ComparedModel: Report {
  let schema: SchemaFile

  /// The path of the store.
  let store: String

  let comparison: HashComparison

  /// The file that wasn't written because the model differs; `nil` if none was asked for.
  let unwritten: String?

  var exitStatus: ExitStatus { comparison.hasDifferences ? .changesPending : .done }

  func lines(_ style: Style) -> [String] {
    let heads = Columns(
      rows: comparison.entities.map { entity in
        [Cell(entity.name), Cell(entity.state.rawValue, entity.state == .equal ? .good : .changed)]
      }
    ).lines(style)
    let rows = zip(heads, comparison.entities).flatMap { head, entity in
      [head] + entity.reasons.map { "      \($0.printable)" }
    }
    let equal = comparison.entities.count { $0.state == .equal }
    let count = "\(equal) of \(comparison.entities.count.counted("entity", "entities"))"
    let title = "\(schema.app) \(schema.version) -> \(store)".printable
    guard !comparison.isConfirmed else {
      return [title, ""] + rows + ["", "Confirmed: the store has the hashes of \(count)."]
    }
    let unknown = comparison.unknown.count
    let doubt = unknown == 0 ? "" : " \(unknown.counted("hash isn't", "hashes aren't")) known."
    let rest = unwritten.map { " '\($0.printable)' wasn't written." } ?? ""
    return [title, ""] + rows + [
      "", "Not confirmed: the store has the hashes of \(count).\(doubt)\(rest)",
    ]
  }

  var members: [JSONValue.Member] {
    [
      .init("app", .string(schema.app)), .init("version", .string(schema.version)),
      .init("against", .string(store)), .init("confirmed", .bool(comparison.isConfirmed)),
      .init(
        "entities",
        JSONValue(comparison.entities) { entity in
          [
            "name": .string(entity.name), "state": .string(entity.state.rawValue),
            "causes": JSONValue(entity.causes) { .string($0) },
          ]
        }),
    ]
  }
}

extension HashComparison.EntityResult {
  /// What is to be said about an entity whose hash differs.
  fileprivate var reasons: [String] {
    state == .differs && causes.isEmpty
      ? ["no single change to the model gives the store's hash"] : causes
  }
}
