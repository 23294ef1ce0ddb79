import RowRewriting

/// A column of the target with the key of a row that a value of the source names.
struct NamedLink {
  /// The index of the target's column.
  let place: Int

  /// The column of the source's query with the key of the named row.
  let key: Int

  /// The column of the source's query with the value that names the row.
  let name: Int

  init?(at place: Int, in rows: RowProgram) {
    for column in rows.columns(of: rows.cells[place]) {
      guard case .matchingKey(let lookup) = rows.sourceColumns[column],
        let name = rows.sourceColumns.firstIndex(of: .named(lookup.column))
      else { continue }
      (self.place, key, self.name) = (place, column, name)
      return
    }
    return nil
  }
}
