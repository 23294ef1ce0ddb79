import Migrations
import RowRewriting
import SQLite
import StoreFormat
import StoreModel

/// Rows that a step numbers in an order.
extension Ledger {
  /// Checks that the rows of the new store have the numbers that a `sequence` says.
  ///
  /// The old store's rows are ordered again, by a statement that the program has no part in.
  func checkNumbers(
    _ claim: FormulaClaim, _ sequence: RowSequence, _ connection: borrowing Connection,
    _ result: inout Result
  ) throws {
    guard let query = wrongNumbers(claim, sequence) else { return }
    try connection.prepareFormulas()
    try program.removals?.prepare(connection, schema: sourceSchema)
    let count = try connection.value(query)?.int64 ?? 0
    guard count > 0 else { return }
    result.findings.append(
      Finding(
        .ledger,
        "'sequence \(sequence.path)' doesn't do what it says for \(counted(count, "row", "rows"))"))
  }

  /// Returns the query that counts the rows with another number than the one by their order.
  ///
  /// The result is `nil` if there is no such row, or if a formula reads what the proof can't.
  private func wrongNumbers(_ claim: FormulaClaim, _ sequence: RowSequence) -> String? {
    let (old, new) = (program.sourceLayout, program.targetLayout)
    guard let model = store.cachedModel,
      let root = sequence.source.flatMap({ old.numbering.root(of: $0) }),
      let table = old.table(of: root),
      let place = new.place(of: claim.path, of: claim.entity)
    else { return nil }
    let witness = FormulaWitness(layout: old, schema: sourceSchema)
    func sql(_ parts: [KeyPart]) -> [String] {
      parts.compactMap { witness.sql(of: $0, over: table, model, after: program.removals) }
    }
    let within = sequence.within.map { [$0] } ?? []
    let (order, partition) = (sql(sequence.by), sql(within))
    guard (order.count, partition.count) == (sequence.by.count, within.count) else { return nil }
    let entities = claim.sources.compactMap { old.numbering.number(of: $0) }.map(String.init)
    let removed = program.removals.flatMap { $0.tables.contains(table.name) ? $0 : nil }
    let staying = removed.map { _ in " AND \(RowRemovals.staying(in: table.name))" } ?? ""
    return """
      SELECT count(*) FROM (
        SELECT Z_PK AS key, row_number() OVER (
          \(partition.map { "PARTITION BY \($0) " }.joined())
          ORDER BY \((order + ["Z_PK"]).joined(separator: ", "))) AS number
        FROM \(qualified(table.name, in: sourceSchema)) AS \(quoteIdentifier(table.name))
        WHERE Z_ENT IN (\(entities.joined(separator: ", ")))\(staying)) AS old
      JOIN \(qualified(place.table, in: targetSchema(place.table))) AS new ON new.Z_PK = old.key
      WHERE new.\(quoteIdentifier(place.column)) IS NOT old.number + \(sequence.start) - 1
      """
  }
}

extension StoreLayout {
  /// Returns the table and the column of an attribute, or of a composite's leaf.
  fileprivate func place(of path: String, of entity: String) -> (table: String, column: String)? {
    for table in tables {
      for column in table.columns {
        guard case .attribute(entity, let names, _) = column.content,
          names.joined(separator: ".") == path
        else { continue }
        return (table.name, column.name)
      }
    }
    return nil
  }
}
