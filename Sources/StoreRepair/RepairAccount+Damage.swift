import StoreFormat
import StoreModel

extension RepairAccount {
  /// Reports what was saved of damaged tables, and what was lost.
  ///
  /// - Parameters:
  ///   - saved: What was saved; without tables if only other pages were damaged.
  ///   - layout: The layout of the store's version.
  mutating func report(_ saved: SavedRows, _ layout: StoreLayout) {
    (isWrittenAgain, damaged) = (true, saved.tables)
    report(unplaced: saved.unplaced)
    if damaged.isEmpty {
      add(.savedRows, "", "the file written again, because pages without rows are damaged")
    }
    for table in damaged {
      let found = layout.tables.first { $0.name.uppercased() == table.name.uppercased() }
      let name = found?.rootEntity ?? table.name
      add(
        .savedRows, name, count: table.saved,
        "\(counted(table.saved, "row", "rows")) of the damaged table '\(table.name)' saved")
      // Core Data's own tables are written as the version has them.
      if SystemTables.names.contains(table.name.uppercased()) {
        reportOwnTable(table)
        continue
      }
      report(table, lostRowsOf: name)
      if table.doubled > 0 {
        lose(
          name, count: table.doubled,
          "\(counted(table.doubled, "cell", "cells")) of '\(name)' with the key of another row "
            + "left out")
      }
      reportDoubtful(table, name)
      for (column, values) in table.lostValues.sorted(by: { $0.key < $1.key }) {
        let content = found?.columns.first { $0.name == column }?.content
        let property =
          content.flatMap(\.property).map { "\(name).\($0)" } ?? "\(table.name).\(column)"
        lose(
          property, count: values.count, keys: values.keys,
          "\(counted(values.count, "value", "values")) of '\(property)' "
            + "\(values.count == 1 ? "is" : "are") lost")
      }
    }
  }

  private mutating func report(unplaced count: Int64) {
    guard count > 0 else { return }
    lose(
      "", count: count,
      "\(counted(count, "row", "rows")) on pages that nothing leads to "
        + "\(count == 1 ? "is" : "are") left out, because no table or several can have "
        + (count == 1 ? "it" : "them"))
  }

  /// Reports what may be lost of one of Core Data's own tables, which no version knows.
  private mutating func reportOwnTable(_ table: SalvagedTable) {
    let content = [
      "Z_PRIMARYKEY":
        "the highest keys ever assigned, so that Core Data may assign keys of removed rows again",
      "Z_METADATA": "values that the app added to the metadata",
    ]
    guard table.hasRowDamage, let words = content[table.name.uppercased()] else { return }
    lose(table.name, count: nil, "'\(table.name)' may have lost \(words)")
  }

  private mutating func reportDoubtful(_ table: SalvagedTable, _ name: String) {
    if table.doubtful.count > 0 {
      lose(
        name, count: table.doubtful.count, keys: table.doubtful.keys,
        "\(counted(table.doubtful.count, "row", "rows")) of '\(name)' on damaged pages "
          + "\(table.doubtful.count == 1 ? "is" : "are") longer or shorter than written; "
          + "check \(table.doubtful.count == 1 ? "its" : "their") values")
    }
    if table.sharing.count > 0 {
      lose(
        name, count: table.sharing.count, keys: table.sharing.keys,
        "\(counted(table.sharing.count, "row", "rows")) of '\(name)' have pages of a long value in "
          + "common, so one has the value of another; check their values")
    }
    if table.stray > 0 {
      notes.append(
        "\(counted(table.stray, "row", "rows")) of '\(name)' were saved from pages that nothing "
          + "leads to; rows that the app had deleted may be among them")
    }
    if table.perhapsDeleted > 0 {
      lose(
        name, count: table.perhapsDeleted,
        "\(counted(table.perhapsDeleted, "row", "rows")) of '\(name)' on pages that may be "
          + "free \(table.perhapsDeleted == 1 ? "is" : "are") left out, because the app may have "
          + "deleted \(table.perhapsDeleted == 1 ? "it" : "them")")
    }
    if table.foreign > 0 {
      lose(
        name, count: table.foreign,
        "\(counted(table.foreign, "row", "rows")) on damaged pages of '\(table.name)' "
          + "\(table.foreign == 1 ? "is" : "are") another table's, and left out")
    }
  }

  private mutating func report(_ table: SalvagedTable, lostRowsOf name: String) {
    guard let lost = table.lost else {
      lose(
        name, count: nil,
        "rows of '\(name)' may be lost; no index of the table can say how many")
      return
    }
    guard lost > 0 else { return }
    lose(
      name, count: lost, keys: table.lostKeys,
      "\(counted(lost, "row", "rows")) of '\(name)' \(lost == 1 ? "is" : "are") lost")
  }
}
