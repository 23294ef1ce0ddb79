extension StoreDescription {
  /// Returns the tables that belong neither to a model nor to Core Data, in order of creation.
  package func unmodeledTables(in layout: StoreLayout) -> [TableDescription] {
    let known = Set(
      (layout.tables.map(\.name) + layout.joinTables.map(\.name) + SystemTables.names
        + HistoryTables.tableNames).map { $0.lowercased() })
    return tables.filter { !known.contains($0.name.lowercased()) }
  }
}
