extension [Int64: Int64] {
  /// Returns an SQL expression for the target's entity number, by those of the source.
  ///
  /// A value that names no entity is kept.
  func target(of column: String) -> String {
    let moved = filter { $0 != $1 }.sorted { $0.key < $1.key }
    if moved.isEmpty { return column }
    let cases = moved.map { "WHEN \($0.key) THEN \($0.value)" }.joined(separator: " ")
    return "CASE \(column) \(cases) ELSE \(column) END"
  }
}
