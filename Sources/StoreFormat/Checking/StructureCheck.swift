package import StoreModel

/// Compares the description of a store with its model, without reading rows of the app.
///
/// See `StoreFormat.md` §9 for the invariants.
package struct StructureCheck {
  let store: StoreDescription
  let model: Model
  let layout: StoreLayout

  /// Creates a check of a store against a model.
  package init(_ store: StoreDescription, model: Model) {
    self.store = store
    self.model = model
    layout = store.layout(of: model)
  }

  /// All differences, in the order of the invariants.
  package var findings: [Finding] {
    metadataFindings + numberFindings + tableFindings + indexFindings + unknownFindings
  }

  /// The failures that show that metadata, cache and tables belong to different models.
  package var disagreements: [Finding] {
    (metadataFindings + numberFindings + tableFindings).filter { $0.severity == .failure }
  }
}

// MARK: - Entity numbers

extension StructureCheck {
  private var numberFindings: [Finding] {
    var findings: [Finding] = []
    let byName = Dictionary(grouping: store.appEntityNumbers) {
      $0.entity(in: model, layout.numbering)
    }
    for name in layout.numbering.names {
      guard let expected = layout.numbering.number(of: name) else { continue }
      guard let rows = byName[name], let row = rows.first else {
        findings.append(
          Finding(.entityNumbers, "Z_PRIMARYKEY has no row for '\(name)'", about: [name]))
        continue
      }
      if rows.count > 1 {
        findings.append(
          Finding(
            .entityNumbers, "Z_PRIMARYKEY has \(rows.count) rows for '\(name)'", about: [name]))
      }
      findings += numberFindings(of: row, as: name, expected: expected)
    }
    for row in store.appEntityNumbers
    where layout.numbering.number(of: row.entity(in: model, layout.numbering)) == nil {
      findings.append(
        Finding(
          .entityNumbers, "Z_PRIMARYKEY has a row for '\(row.name)', which the model doesn't have",
          about: [row.name]))
    }
    return findings + historyNumberFindings
  }

  private func numberFindings(
    of row: StoreDescription.EntityNumber, as name: String, expected: Int
  ) -> [Finding] {
    var findings: [Finding] = []
    if row.name != name, row.name != model[name]?.renamingIdentifier {
      findings.append(
        Finding(
          .entityNumbers, "Z_PRIMARYKEY calls '\(name)' '\(row.name)', perhaps an older name",
          about: [name], severity: .warning))
    }
    if row.number != Int64(expected) {
      findings.append(
        Finding(
          .entityNumbers,
          "Z_PRIMARYKEY says '\(name)' is entity \(row.number), its model says \(expected)",
          about: [name]))
    }
    let parent = model[name]?.superentityName.flatMap(layout.numbering.number(of:)) ?? 0
    if row.superNumber != Int64(parent) {
      findings.append(
        Finding(
          .entityNumbers,
          """
          Z_PRIMARYKEY says the super-entity of '\(name)' is \(row.superNumber), \
          its model says \(parent)
          """, about: [name]))
    }
    return findings
  }

  /// The entity numbers of history are fixed; their rows are created by the first save.
  ///
  /// Those of mirroring begin at another number. They depend on the system, so their order isn't
  /// checked.
  private var historyNumberFindings: [Finding] {
    let known = Dictionary(
      HistoryTables.entities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    return store.entityNumbers.compactMap { row in
      guard row.number >= HistoryTables.firstNumber, known[row.number] != row.name,
        !(store.isMirrored && row.isOfMirroring)
      else { return nil }
      return Finding(
        .entityNumbers,
        "Z_PRIMARYKEY says '\(row.name)' is entity \(row.number), a number reserved for the framework",
        about: [row.name], severity: known[row.number] == nil ? .warning : .failure)
    }
  }
}

// MARK: - Tables and indexes

extension StructureCheck {
  private var tableFindings: [Finding] {
    let entities = layout.tables.flatMap {
      columnFindings(of: $0.name, expected: $0.columns.map(\.name))
    }
    let joins = layout.joinTables.flatMap {
      columnFindings(of: $0.name, expected: $0.columnNames)
    }
    return entities + joins + surplusTableFindings
  }

  private func columnFindings(of name: String, expected: [String]) -> [Finding] {
    guard let table = store.table(named: name) else {
      return [Finding(.tables, "table '\(name)' is missing", about: [name])]
    }
    let found = Set(table.columns.map { $0.name.uppercased() })
    let wanted = Set(expected.map { $0.uppercased() })
    return expected.filter { !found.contains($0.uppercased()) }
      .map { Finding(.tables, "table '\(name)' has no column '\($0)'", about: [name, $0]) }
      + table.columns.map(\.name).filter { !wanted.contains($0.uppercased()) }
      .map {
        Finding(
          .tables, "table '\(name)' has a column '\($0)' that the model doesn't have",
          about: [name, $0])
      }
  }

  /// Core Data ignores tables that aren't in its model, so they are only warnings.
  private var surplusTableFindings: [Finding] {
    store.unmodeledTables(in: layout).filter { !$0.isOfMirroring }.map {
      Finding(
        .tables, "table '\($0.name)' isn't in the model", about: [$0.name], severity: .warning)
    }
  }

  /// The indexes missing from existing tables.
  ///
  /// Additional indexes don't matter, because Core Data itself leaves unusual ones behind
  /// (`StoreFormat.md` §14.4).
  private var indexFindings: [Finding] {
    let wanted = layout.indexes.filter { store.has($0.columns, in: $0.table) }
    return IndexMatch(of: wanted, in: store.indexes).missing.map { index in
      let kind = index.isUnique ? "unique index" : "index"
      let list = index.columns.joined(separator: ", ")
      return Finding(
        .indexes, "table '\(index.table)' has no \(kind) on \(list)",
        about: [index.table] + index.columns)
    }
  }
}

extension StoreDescription.EntityNumber {
  /// Whether the entity is one of mirroring to CloudKit.
  fileprivate var isOfMirroring: Bool {
    number >= MirroringTables.firstNumber && name.hasPrefix(MirroringTables.entityPrefix)
  }
}
