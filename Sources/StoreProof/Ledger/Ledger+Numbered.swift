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
    result.findings += try faults([query], connection) {
      "'sequence \(sequence.path)' doesn't do what it says for \(counted($0, "row", "rows"))"
    }
  }

  /// Returns the query that counts the rows with another number than the one by their order.
  ///
  /// The result is `nil` if there is no such row, or if a formula reads what the proof can't.
  private func wrongNumbers(_ claim: FormulaClaim, _ sequence: RowSequence) -> String? {
    let old = program.sourceLayout
    guard let model = store.cachedModel,
      let root = sequence.source.flatMap({ old.numbering.root(of: $0) }),
      let table = old.table(of: root),
      let (new, column) = program.targetLayout.tables.lazy.compactMap({ table in
        table.attributeColumn(claim.path, of: claim.entity).map { (table.name, $0) }
      }).first
    else { return nil }
    let witness = FormulaWitness(layout: old, schema: sourceSchema)
    func sql(_ parts: [KeyPart]) -> [String] {
      parts.compactMap { witness.sql(of: $0, over: table, model, after: program.removals) }
    }
    let within = sequence.within.map { [$0] } ?? []
    let (order, partition) = (sql(sequence.by), sql(within))
    guard (order.count, partition.count) == (sequence.by.count, within.count) else { return nil }
    let entities = claim.sources.compactMap { old.numbering.number(of: $0) }.map(String.init)
    let losesRows = program.removals?.tables.contains(table.name) == true
    let staying = losesRows ? " AND \(RowRemovals.staying(in: table.name))" : ""
    return """
      SELECT count(*) FROM (
        SELECT Z_PK AS key, row_number() OVER (
          \(partition.map { "PARTITION BY \($0) " }.joined())
          ORDER BY \((order + ["Z_PK"]).joined(separator: ", "))) AS number
        FROM \(qualified(table.name, in: sourceSchema)) AS \(quoteIdentifier(table.name))
        WHERE Z_ENT IN (\(entities.joined(separator: ", ")))\(staying)) AS old
      JOIN \(qualified(new, in: targetSchema(new))) AS new ON new.Z_PK = old.key
      WHERE new.\(quoteIdentifier(column)) IS NOT old.number + \(sequence.start) - 1
      """
  }
}
