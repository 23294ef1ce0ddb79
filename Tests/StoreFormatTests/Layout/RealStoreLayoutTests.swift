import StoreFormat
import StoreModel
import Testing

@Suite struct RealStoreLayoutTests {
  @Test(arguments: CachedStore.all)
  func `a store's hashes follow from its cached model`(store: CachedStore) throws {
    let description = try store.description()
    let model = try #require(description.cachedModel)
    let metadata = try #require(description.metadata)
    let hashes = VersionHashes(model)
    #expect(metadata.hashes == hashes)
    if let digest = metadata.digest { #expect(digest == hashes.digest) }
    if let checksum = metadata.checksum { #expect(checksum == hashes.checksum) }
    #expect(metadata.versionIdentifiers.sorted() == model.versionIdentifiers.sorted())
  }

  @Test(arguments: CachedStore.all)
  func `a store's entity numbers follow from its cached model`(store: CachedStore) throws {
    let description = try store.description()
    let model = try #require(description.cachedModel)
    let numbering = EntityNumbering(model)
    #expect(description.entityNames == numbering.names)
    #expect(
      description.appEntityNumbers.map(\.number) == (1...Int64(numbering.names.count)).map(\.self))
    for entity in description.appEntityNumbers {
      let parent = model[entity.entity(in: model, numbering)]?.superentityName
      #expect(entity.superNumber == Int64(parent.flatMap(numbering.number(of:)) ?? 0))
    }
  }

  @Test(arguments: CachedStore.all)
  func `a store has the tables and columns of the layout and no others`(store: CachedStore) throws {
    let description = try store.description()
    let layout = StoreLayout(
      try #require(description.cachedModel), joinTableNames: description.tableNames)
    let others = Set(SystemTables.names + HistoryTables.tableNames)
    let found = description.tables.filter { !others.contains($0.name) }
    #expect(
      Set(found.map(\.name)) == Set(layout.tables.map(\.name) + layout.joinTables.map(\.name)))
    for table in layout.tables {
      let columns = try #require(description.table(named: table.name)).columns
      #expect(
        Set(columns.map { $0.name + " " + $0.declaredType })
          == Set(table.columns.map { $0.name + " " + $0.declaredType }), "\(table.name)")
    }
    for table in layout.joinTables {
      let columns = try #require(description.table(named: table.name)).columns
      #expect(Set(columns.map(\.name)) == Set(table.columnNames), "\(table.name)")
    }
  }

  @Test(arguments: CachedStore.all)
  func `a store has every index of the layout`(store: CachedStore) throws {
    let description = try store.description()
    let layout = StoreLayout(
      try #require(description.cachedModel), joinTableNames: description.tableNames)
    for index in layout.indexes {
      let isThere = description.indexes.contains {
        $0.table == index.table && $0.columns == index.columns && $0.isUnique == index.isUnique
      }
      #expect(isThere, "\(index.createStatement)")
    }
    #expect(IndexMatch(of: layout.indexes, in: description.indexes).missing.isEmpty)
  }

  @Test(arguments: CachedStore.all)
  func `a store's captured schema is read as it was written`(store: CachedStore) throws {
    let schema = SchemaFile(
      app: "Any", version: "1", model: try #require(try store.description().cachedModel),
      capture: SchemaCapture(modelCache: try #require(try store.cache())))
    #expect(try SchemaFile(parsing: Array(schema.text.utf8), file: nil) == schema)
  }

  @Test(arguments: CachedStore.fresh)
  func `a fresh store's statements are regenerated to the letter`(store: CachedStore) throws {
    let description = try store.description()
    let layout = StoreLayout(
      try #require(description.cachedModel), joinTableNames: description.tableNames)
    for table in layout.tables {
      #expect(description.table(named: table.name)?.sql == table.createStatement)
    }
    for table in layout.joinTables {
      #expect(description.table(named: table.name)?.sql == table.createStatement)
    }
    let statements = Set(description.indexes.compactMap(\.sql))
    for index in layout.indexes { #expect(statements.contains(index.createStatement)) }
    let expected = Set(layout.indexes.map(\.createStatement) + HistoryTables.createStatements)
    #expect(statements.subtracting(expected).sorted() == [])
  }

  @Test(arguments: CachedStore.ordered)
  func `a fresh store's statements stand in the framework's order`(store: CachedStore) throws {
    let description = try store.description()
    let model = try #require(description.cachedModel)
    let hasHistory = description.table(named: "ACHANGE") != nil
    let fresh = try FreshStore(model: model, uuid: "", hasHistory: hasHistory)
    // The side of a pair within one entity that names the table is the store's.
    let usual = StoreLayout(model)
    let own = description.layout(of: model)
    let named = Dictionary(
      uniqueKeysWithValues: zip(
        usual.joinTables.map(\.createStatement) + usual.allIndexes.map(\.createStatement),
        own.joinTables.map(\.createStatement) + own.allIndexes.map(\.createStatement)))
    let statements = fresh.createStatements.map { named[$0] ?? $0 }
    #expect(
      inKnownOrder(description.tables.compactMap(\.sql))
        == inKnownOrder(statements.filter { $0.hasPrefix("CREATE TABLE") }))
    #expect(
      inKnownOrder(description.indexes.compactMap(\.sql))
        == inKnownOrder(statements.filter { !$0.hasPrefix("CREATE TABLE") }))
  }

  /// Sorts the statements of one entity's join tables, whose order follows no known rule.
  private func inKnownOrder(_ statements: [String]) -> [String] {
    func owner(_ statement: String) -> Substring? {
      statement.firstMatch(of: /(?:TABLE|ON) (Z_[0-9]+)/)?.1
    }
    var sorted = Dictionary(grouping: statements, by: owner).mapValues { $0.sorted() }
    return statements.map { statement in
      owner(statement).flatMap { sorted[$0]?.removeFirst() } ?? statement
    }
  }
}
