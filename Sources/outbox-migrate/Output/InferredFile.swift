import InputFiles
import PlanWriting
import SafeText
import JSONText
import Migrations
import MigrationAuthoring
import StoreMigration
import StoreModel

/// The report of `schema infer`.
struct InferredFile: Report {
  /// One of the two versions, as typed.
  struct Side {
    let word: String
    let version: ModelVersion

    /// The path, if the word is that of a store.
    let store: String?

    /// Whether the tool recognises stores of the version, or will by a schema file in the folder.
    let isRecognised: Bool

    /// Whether the word is the name of a known version as well.
    let isVersionName: Bool

    init(word: String, version: ModelVersion, folder: String, _ catalog: Catalog) {
      self.word = word
      self.version = version
      store = catalog.storePath(word)
      isVersionName = catalog.versions.contains { $0.name.lowercased() == word.lowercased() }
      isRecognised =
        catalog.knows(version) || MigrationFolder(path: folder).version(like: version) != nil
    }
  }

  let draft: DraftedMigration

  /// The path of the file; `nil` for standard output.
  let path: String?

  let old: Side
  let new: Side

  /// The folder of the file.
  let folder: String

  var hasChangedFiles: Bool { path != nil }

  func lines(_ style: Style) -> [String] {
    let migration = draft.migration
    let decisions = draft.decisions.count
    let open = decisions == 0 ? "" : ", \(decisions.counted("decision")) left"
    let head =
      "Wrote \((path ?? "").printable): \(migration.app) \(migration.from) -> \(migration.to), "
      .printable + migration.steps.count.counted("step") + open + "."
    return [head] + decisionLines(style) + renameLines(style)
      + dropLines(style)
      + draft.warnings.section(style) + [""] + nextLines(style)
  }

  private func decisionLines(_ style: Style) -> [String] {
    guard !draft.decisions.isEmpty else { return [] }
    let rows = draft.decisions.map { decision in
      [
        Cell(decision.question.object), Cell(decision.rows.map { $0.counted("row") } ?? ""),
        Cell(decision.question.reason),
      ]
    }
    let examples = draft.decisions.map { "  " + $0.question.example.printable }
    return ["", "Decide what happens to"] + Columns(rows: rows, rightAligned: [1]).lines(style)
      + ["", "Replace each 'decide' step by the step that you mean, such as"] + examples
  }

  private func dropLines(_ style: Style) -> [String] {
    guard !draft.drops.isEmpty else { return [] }
    let rows = draft.drops.map { [Cell($0.object), Cell($0.amount ?? "")] }
    return ["", "These steps drop what the new version has no place for"]
      + Columns(rows: rows, rightAligned: [1]).lines(style)
  }

  private func renameLines(_ style: Style) -> [String] {
    guard !draft.renames.isEmpty else { return [] }
    let rows = draft.renames.map { rename in
      [
        Cell("\(rename.properties.old) -> \(rename.properties.new)"),
        Cell(rename.values.map { $0.counted("value") } ?? ""), Cell(rename.properties.step.text),
      ]
    }
    return ["", "If these are renames, write the step instead of those that drop and add"]
      + Columns(rows: rows, rightAligned: [1]).lines(style)
  }

  /// The warnings, drops, decisions and possible renames as sentences, for standard error.
  var notes: [String] {
    draft.warnings.map(\.message.printable)
      + draft.drops.map { drop in
        "the migration drops '\(drop.object)'".printable
          + (drop.amount.map { ", with \($0)" } ?? "")
      }
      + draft.decisions.map { decision in
        "decide '\(decision.question.object)' by a step such as \(decision.question.example)"
          .printable
      }
      + draft.renames.map { rename in
        let values = rename.values.map { ", with \($0.counted("value"))," } ?? ""
        return "'\(rename.properties.old)'\(values) may be '\(rename.properties.new)', renamed; "
          .printable
          + "if so, write \(rename.properties.step.text) instead of the steps that drop and add"
      }
  }

  private func nextLines(_ style: Style) -> [String] {
    let inFolder = Style(isColored: style.isColored, migrations: folder, model: style.model)
    let captures = [old, new].compactMap { side in capture(side, style) }
    let store = old.store?.shellPath ?? "STORE"
    let isPath = new.word.hasSuffix(".json") || new.version.origin != nil
    let path = new.isVersionName ? "./\(new.word)" : new.word
    let target = isPath ? path.shellPath : new.version.name.shellWord
    let purpose = draft.decisions.isEmpty ? "To plan it" : "To plan it, when all is decided"
    return ["\(purpose):  \(inFolder.command(["plan", store, "--to", target]))"] + captures
  }

  /// Returns the command that gives a store's version its schema file, if it has none.
  private func capture(_ side: Side, _ style: Style) -> String? {
    guard !side.isRecognised, let place = side.store ?? side.version.origin?.path
    else { return nil }
    let name = side.version.name
    let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    let words = [
      "schema", "capture", place.shellPath, "--app", draft.migration.app.shellWord, "--name",
      name.shellWord, "--out", "\(prefix)\(name).schema.json".shellPath,
    ]
    // The store's model is of use for a store only.
    let style = side.store == nil ? Style(isColored: style.isColored) : style
    return "To recognise stores at \(name.printable):  \(style.command(words))"
  }

  var members: [JSONValue.Member] {
    [
      .init("file", JSONValue(path)), .init("app", .string(draft.migration.app)),
      .init("from", .string(draft.migration.from)), .init("to", .string(draft.migration.to)),
      .init("steps", JSONValue(draft.migration.steps.count)),
      .init(
        "decisions",
        JSONValue(draft.decisions) { decision in
          [
            "object": .string(decision.question.object),
            "because": .string(decision.question.reason),
            "rows": decision.rows.map { .int($0) } ?? .null,
            "example": .string(decision.question.example),
          ]
        }),
      .init(
        "possible_renames",
        JSONValue(draft.renames) { rename in
          [
            "from": .string(rename.properties.old.description),
            "to": .string(rename.properties.new.description),
            "values": rename.values.map { .int($0) } ?? .null,
            "step": rename.properties.step.json,
          ]
        }),
      .init(
        "drops",
        JSONValue(draft.drops) {
          ["object": .string($0.object), "count": $0.count.map { .int($0) } ?? .null]
        }),
      .init("warnings", JSONValue(draft.warnings) { $0.json }),
    ]
  }
}

extension DraftedMigration.Drop {
  /// The number of rows of an entity, or of values of a property; `nil` if it isn't known.
  fileprivate var amount: String? {
    count.map { $0.counted(object.contains(".") ? "value" : "row") }
  }
}
