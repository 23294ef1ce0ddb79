import StoreModel

/// Compares what a store says of itself with what its model asks for; no row of the app is read.
///
/// See `StoreFormat.md` §9 for the invariants.
public struct StructureCheck {
  let store: StoreDescription
  let model: Model
  let layout: StoreLayout

  /// Prepares the comparison of a store with a model.
  public init(_ store: StoreDescription, model: Model) {
    self.store = store
    self.model = model
    layout = StoreLayout(model, joinTableNames: store.tableNames)
  }

  /// Everything that disagrees, in the order of the invariants.
  public var findings: [Finding] {
    metadataFindings + numberFindings + tableFindings + indexFindings
  }

  /// What keeps the parts of the store from describing one model: metadata, cache, tables.
  public var disagreements: [Finding] {
    metadataFindings + numberFindings + tableFindings
  }
}

extension StructureCheck {
  private var metadataFindings: [Finding] {
    var findings: [Finding] = []
    if store.metadataCount != 1 {
      findings.append(
        Finding(.metadata, "Z_METADATA has \(store.metadataCount) rows and should have one"))
    }
    guard let metadata = store.metadata else { return findings }
    let computed = VersionHashes(model)
    guard let stored = metadata.hashes else {
      return findings + [Finding(.hashes, "the metadata has no entity hashes")]
    }
    for name in Set(computed.entities.keys).union(stored.entities.keys).sorted() {
      switch (computed.entities[name], stored.entities[name]) {
      case (.some, nil): findings.append(Finding(.hashes, "the metadata has no hash of '\(name)'"))
      case (nil, .some):
        findings.append(
          Finding(
            .hashes, "the metadata has a hash of '\(name)', which the model cache doesn't have"))
      case (let computed, let stored) where computed != stored:
        findings.append(
          Finding(.hashes, "the hash of '\(name)' in the metadata isn't that of the model cache"))
      default: break
      }
    }
    if let digest = metadata.digest, digest != computed.digest {
      findings.append(Finding(.hashes, "the digest in the metadata isn't that of the model cache"))
    }
    if let checksum = metadata.checksum, checksum != computed.checksum {
      findings.append(
        Finding(.hashes, "the checksum in the metadata isn't that of the model cache"))
    }
    return findings
  }

  private var numberFindings: [Finding] {
    var findings: [Finding] = []
    let byName = Dictionary(
      store.appEntityNumbers.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for name in layout.numbering.names {
      guard let expected = layout.numbering.number(of: name) else { continue }
      guard let row = byName[name] else {
        findings.append(Finding(.entityNumbers, "Z_PRIMARYKEY has no row for '\(name)'"))
        continue
      }
      if row.number != Int64(expected) {
        findings.append(
          Finding(
            .entityNumbers,
            "Z_PRIMARYKEY says '\(name)' is entity \(row.number), its model says \(expected)"))
      }
      let parent = model[name]?.superentityName.flatMap(layout.numbering.number(of:)) ?? 0
      if row.superNumber != Int64(parent) {
        findings.append(
          Finding(
            .entityNumbers,
            """
            Z_PRIMARYKEY says the super-entity of '\(name)' is \(row.superNumber), \
            its model says \(parent)
            """))
      }
    }
    for row in store.appEntityNumbers where layout.numbering.number(of: row.name) == nil {
      findings.append(
        Finding(
          .entityNumbers, "Z_PRIMARYKEY has a row for '\(row.name)', which the model doesn't have"))
    }
    return findings
  }

  private var tableFindings: [Finding] {
    var findings: [Finding] = []
    for table in layout.tables {
      findings += columnFindings(of: table.name, expected: table.columns.map(\.name))
    }
    for table in layout.joinTables {
      findings += columnFindings(of: table.name, expected: table.columnNames)
    }
    return findings
  }

  private func columnFindings(of name: String, expected: [String]) -> [Finding] {
    guard let table = store.table(named: name) else {
      return [Finding(.tables, "there is no table '\(name)'")]
    }
    let found = Set(table.columns.map { $0.name.uppercased() })
    let wanted = Set(expected.map { $0.uppercased() })
    return expected.filter { !found.contains($0.uppercased()) }
      .map { Finding(.tables, "table '\(name)' has no column '\($0)'") }
      + table.columns.map(\.name).filter { !wanted.contains($0.uppercased()) }
      .map { Finding(.tables, "table '\(name)' has a column '\($0)' that the model doesn't have") }
  }

  private var indexFindings: [Finding] {
    layout.indexes.compactMap { index in
      let columns = index.columns.map { $0.uppercased() }
      let isThere = store.indexes.contains {
        $0.table.uppercased() == index.table.uppercased() && (!index.isUnique || $0.isUnique)
          && $0.columns.map { $0.uppercased() } == columns
      }
      let kind = index.isUnique ? "unique index" : "index"
      let list = index.columns.joined(separator: ", ")
      return isThere ? nil : Finding(.indexes, "table '\(index.table)' has no \(kind) on \(list)")
    }
  }
}
