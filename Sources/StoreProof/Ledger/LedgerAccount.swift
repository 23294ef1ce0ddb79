import Migrations
import Platform
package import SQLite
import StoreFormat
import RowRewriting
import OutboxConversion

/// Runs a ledger piece by piece; two threads may share the pieces.
package final class LedgerAccount: Sendable {
  private let ledger: Ledger
  private let pieces: [Piece]
  private let state: Guarded<State>

  /// A part of the comparison.
  private enum Piece: Sendable {
    case action(TableAction)
    case history(String)
    case unmodeled(String)
    case renumbered(String)
    case mirroringNumbers
    case removed(RowRemovals)
    case numbered(FormulaClaim, RowSequence)
    case relinked(RelinkedLinks)
    case inlined(InlinedRows)
    case dropped

    /// Whether both stores must have the same rows.
    var isCarried: Bool {
      switch self {
      case .action(.carry), .history, .unmodeled, .renumbered, .mirroringNumbers: true
      case .action, .removed, .numbered, .relinked, .inlined, .dropped: false
      }
    }

    /// Returns whether the piece needs only the rows of both stores.
    ///
    /// A deliverable outbox is also compared with the rows that were set aside.
    func mayBeShared(in program: StoreProgram) -> Bool {
      guard case .action(.rewrite(let rows)) = self else { return true }
      return program.delivery(of: rows) == nil
    }

    /// Returns the priority: highest if one thread must do the piece, lowest if the table was
    /// copied.
    func rank(in program: StoreProgram) -> Int {
      if isCarried { return 0 }
      return mayBeShared(in: program) ? 1 : 2
    }
  }

  private struct State {
    /// The pieces that no thread has taken yet; the last one is next.
    var left: [Int]

    /// The results, by piece.
    var results: [Int: Result<Ledger.Result, any Error>] = [:]
  }

  /// The pieces that a thread takes.
  package enum Pieces: Hashable {
    case all

    /// The pieces that need only the rows of both stores.
    case shared
  }

  package init(_ ledger: Ledger) {
    self.ledger = ledger
    let history = ledger.scope == .everything ? HistoryTables.tableNames : []
    let renumbered = Set(ledger.store.renumberedTables(by: ledger.program).map(\.name))
    let pieces =
      ledger.program.actions.map { Piece.action($0) } + history.map { .history($0) }
      + ledger.store.unmodeledTables(in: ledger.program.sourceLayout).map {
        renumbered.contains($0.name) ? .renumbered($0.name) : .unmodeled($0.name)
      } + (ledger.store.isMirrored ? [.mirroringNumbers] : [])
      + (ledger.program.removals.map { [.removed($0)] } ?? [])
      + ledger.program.claims.compactMap {
        if case .sequence(let sequence) = $0.value { .numbered($0, sequence) } else { nil }
      }
      + ledger.program.relinked.map { .relinked($0) }
      + ledger.program.inlines.map { .inlined($0) } + [.dropped]
    let order = pieces.indices.sorted { left, right in
      let first = pieces[left].rank(in: ledger.program)
      let second = pieces[right].rank(in: ledger.program)
      // Pieces are taken from the end, so those of equal rank are in reverse order.
      return first == second ? left > right : first < second
    }
    self.pieces = pieces
    state = Guarded(State(left: order))
  }

  /// Takes and compares pieces until none remains.
  package func comparePieces(_ kind: Pieces, _ connection: borrowing Connection) throws {
    while let place = take(kind) {
      let result = Result {
        var result = Ledger.Result()
        try compare(pieces[place], connection, &result)
        return result
      }
      state.withLock { $0.results[place] = result }
      _ = try result.get()
    }
  }

  private func take(_ kind: Pieces) -> Int? {
    state.withLock { state in
      guard
        let next = kind == .all
          ? state.left.indices.last
          : state.left.lastIndex(where: { pieces[$0].mayBeShared(in: ledger.program) })
      else { return nil }
      return state.left.remove(at: next)
    }
  }

  private func compare(
    _ piece: Piece, _ connection: borrowing Connection, _ result: inout Ledger.Result
  ) throws {
    switch piece {
    case .action(.carry(let name)):
      try ledger.compareCarried(name, leavingOut: ledger.leftOut, connection, &result)
    case .action(.create(let table)): try ledger.checkEmpty(table, connection, &result)
    case .action(.rewrite(let rows)):
      if let delivery = ledger.program.delivery(of: rows) {
        try ledger.compareDelivered(rows, delivery, connection, &result)
      } else {
        try ledger.compareRewritten(rows, connection, &result)
      }
    case .action(.rejoin(let join)): try ledger.compareJoin(join, connection, &result)
    case .history(let name): try ledger.compareHistory(name, connection, &result)
    case .unmodeled(let name): try ledger.compareCarried(name, connection, &result)
    case .renumbered(let name): try ledger.compareRenumbered(name, connection, &result)
    case .mirroringNumbers: try ledger.compareMirroringNumbers(connection, &result)
    case .removed(let removals): try ledger.checkRemovals(removals, connection, &result)
    case .numbered(let claim, let sequence):
      try ledger.checkNumbers(claim, sequence, connection, &result)
    case .relinked(let links): try ledger.compareRelinked(links, connection, &result)
    case .inlined(let rows): try ledger.compareInlined(rows, connection, &result)
    case .dropped: try ledger.accountForDropped(connection, &result)
    }
  }

  /// Waits for all pieces, and returns their results in the order of the program.
  ///
  /// - Precondition: Every piece was taken.
  /// - Throws: The error of the first piece that failed.
  package func result() throws -> Ledger.Result {
    precondition(state.withLock(\.left.isEmpty), "a piece that nobody takes isn't accounted for")
    let results = state.withLock(when: { $0.results.count == pieces.count }, \.results)
    var all = Ledger.Result()
    for place in pieces.indices {
      guard let result = try results[place]?.get() else {
        preconditionFailure("every piece has a result")
      }
      all.entries += result.entries
      all.findings += result.findings
      all.carried.formUnion(result.carried)
      all.delivery = all.delivery ?? result.delivery
      all.digests.old.merge(result.digests.old) { first, _ in first }
      all.digests.new.merge(result.digests.new) { first, _ in first }
    }
    for entry in all.entries where !entry.addsUp {
      all.findings.append(
        Finding(.ledger, "the values of '\(entry.entity).\(entry.property)' don't add up"))
    }
    return all
  }
}
