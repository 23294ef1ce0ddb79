import Migrations

extension RowProgram.Condition {
  /// Translates a condition; a placeholder is only missing or the default.
  init(_ condition: Expression.Condition) {
    self =
      switch condition {
      case .null: .null
      case .zero: .zero
      case .empty: .empty
      case .placeholder(let value): .placeholder(value, sharedFlag: nil)
      }
  }

  /// Returns the condition on a value in SQL, as `RowEvaluator` decides it.
  ///
  /// - Parameters:
  ///   - value: The SQL of the value.
  ///   - column: Returns the SQL of a column of the source, by its index.
  /// - Returns: SQL that isn't NULL.
  func sql(of value: String, _ column: (Int) -> String = { _ in "0" }) -> String {
    switch self {
    case .null: return "\(value) IS NULL"
    case .zero:
      return "\(value) IS NULL OR typeof(\(value)) IN ('integer', 'real') AND \(value) = 0"
    case .empty: return "\(value) IS NULL OR \(value) IN ('', x'')"
    case .placeholder(let usual, let flag):
      let literal = usual?.literal
      return
        (["\(value) IS NULL"]
        + (literal.map { ["typeof(\(value)) = typeof(\($0)) AND \(value) = \($0)"] } ?? [])
        + (flag.map { [column($0)] } ?? [])).joined(separator: " OR ")
    }
  }
}
