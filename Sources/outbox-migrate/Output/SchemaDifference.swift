import SafeText
import JSONText
import StoreMigration
import StoreModel
import Migrations

/// The report of `schema diff`.
struct SchemaDifference: Report {
  let old: ModelVersion
  let new: ModelVersion
  let changes: [ModelDifference.Change]

  init(old: ModelVersion, new: ModelVersion) {
    self.old = old
    self.new = new
    changes = ModelDifference(from: old.model, to: new.model).changes
  }

  func lines(_ style: Style) -> [String] {
    if changes.isEmpty {
      return ["Core Data treats \(old.title) and \(new.title) as equal: their hashes are the same."]
    }
    let title = "\(old.title) -> \(new.title)   \(changes.count.counted("difference"))"
    return [title, ""] + Columns(rows: changes.map(\.cells), gap: 1).lines(style)
  }

  var members: [JSONValue.Member] {
    [
      .init("from", .object(VersionName(old).members)),
      .init("to", .object(VersionName(new).members)),
      .init("differences", JSONValue(changes) { $0.json }),
    ]
  }
}
