import SQLite
import StoreFormat

extension Salvage {
  /// Adds the rows of leaves that nothing leads to, where only one table can have them.
  ///
  /// A table that SQLite reads without an error can have lost such a leaf, too.
  func adopt(
    _ ownership: PageOwnership, _ rows: inout SavedRows, _ new: borrowing Connection
  ) throws {
    let orphans = try ownership.orphans()
    if !orphans.isEmpty {
      // Rows of join tables have nothing that says whose they are.
      rows.intact.removeAll { !$0.namesEntities }
      for place in rows.intact.indices { try rows.intact[place].countCopies(new) }
    }
    for orphan in orphans {
      guard let bytes = try pages.read(orphan.page) else { continue }
      let cells = LeafCell.all(on: bytes, usable: pages.usable)
      let fitting = try rows.tables.indices.filter {
        try rows.tables[$0].canHave(cells, pages, ownership)
      }
      let others = try rows.intact.indices.filter {
        try !orphan.mayBeFree && rows.intact[$0].canHave(cells, pages, ownership)
      }
      guard fitting.count + others.count == 1 else {
        if !orphan.mayBeFree { rows.unplaced += try soundCount(cells, ownership) }
        continue
      }
      if let other = others.first { rows.tables.append(rows.intact.remove(at: other)) }
      let place = fitting.first ?? rows.tables.count - 1
      if orphan.mayBeFree {
        rows.tables[place].leaveOut(cells)
      } else {
        try rows.tables[place].adopt(cells, isNamed: orphan.isNamed, pages, ownership, new)
      }
    }
  }

  /// Returns the number of cells that are whole rows.
  private func soundCount(
    _ cells: [LeafCell?], _ ownership: PageOwnership
  ) throws -> Int64 {
    var count: Int64 = 0
    for cell in cells.compactMap(\.self) {
      let rest = try pages.overflow(of: cell, ownership).bytes
      if SavedRecord(cell, rest: rest, columns: .max)?.isSound == true { count += 1 }
    }
    return count
  }
}
