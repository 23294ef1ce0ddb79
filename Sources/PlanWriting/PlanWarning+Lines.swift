package import SafeText
import StoreModel
import StoreMigration

extension [PlanWarning] {
  /// Returns the warnings as a section of their own, with the commonest event types if asked.
  package func section(_ style: Style, showsTypes: Bool = false) -> [String] {
    if isEmpty { return [] }
    return ["", "Warnings"]
      + flatMap { warning -> [String] in
        let rows = warning.rows > 0 ? "   \(warning.rows.counted("row"))" : ""
        let head = "  \(style(.changed, warning.code.printable))\(rows)"
        return [head, "    \(warning.message.printable)"] + (showsTypes ? warning.typeLines : [])
      }
  }
}

extension PlanWarning {
  /// The event types with the most rows; the JSON format has all of them.
  fileprivate var typeLines: [String] {
    let types = rankedTypes
    if types.isEmpty { return [] }
    let shown = types.prefix(4).map { "\($0.name.printable) \($0.rows.grouped)" }
    let rest = types.count - shown.count
    let more = rest > 0 ? " · \(rest.counted("more type"))" : ""
    return ["    " + shown.joined(separator: " · ") + more]
  }
}
