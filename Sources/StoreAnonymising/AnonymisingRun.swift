import Platform
import SQLite
import StoreAccess
import StoreFormat

/// Writes a result beside its path, proves it, and gives it its name.
struct AnonymisingRun: ~Copyable {
  let source: AnonymisingSource
  let path: String
  let rows: Int?
  let seed: UInt64

  func write(to files: StoreFiles, _ progress: (Double) -> Void) throws -> AnonymisedStore {
    let statements = try SchemaStatements(source.store, path: path)
    let index = try OriginalIndex(source.reader, source.opened.connection, path: path)
    let choice = try chosen()
    let store = AnonymousStore(
      original: source.reader, statements: statements,
      replacer: try Replacer(index, seed: seed), choice: choice)
    let draft = StoreFiles(path: files.path + FileSystem.draftSuffix)
    let support = "\(draft.folder)/\(draft.supportFolderName)"
    // It may be another store's: only a folder that this run makes is removed.
    if try FileSystem.exists(support) { throw AnonymisingError.exists(support) }
    try remove(draft)
    do {
      let counts = try written(store, to: draft, progress)
      let externalFiles = try store.writeExternalData(beside: draft.path)
      try prove(draft, index)
      try source.confirmUnchanged(path)
      try name(draft, as: files)
      return AnonymisedStore(
        tables: try tables(counts), replaced: store.replacer.counts,
        kept: KeptNames(
          source.store, model: source.model, words: source.reader.words,
          schemaWords: statements.words,
          caches: try source.reader.modelCaches(source.opened.connection)),
        externalFiles: externalFiles)
    } catch {
      // Report this error, not one of the removal. A partial result is of no use.
      try? remove(draft)
      throw error
    }
  }

  private func chosen() throws -> RowChoice? {
    guard let rows else { return nil }
    let choice = RowChoice(
      source.reader.tables, model: source.model, store: source.store, rows: rows)
    try choice.choose(source.opened.connection, words: source.reader.words)
    return choice
  }

  private func written(
    _ store: AnonymousStore, to draft: StoreFiles, _ progress: (Double) -> Void
  ) throws -> [Int: Int64] {
    let counts: [Int: Int64]
    let roots: [Int64]
    do {
      counts = try store.write(
        to: draft.path, from: source.opened.connection, progress: progress)
      roots = try Connection(path: draft.path, mode: .readOnlyUnshared).roots()
    } catch let error as SQLiteError {
      throw AnonymisingError.sqlite(error, path: draft.path)
    }
    var slack = try PageSlack(draft.path, clears: true)
    try slack.walk(roots)
    try slack.synchronize()
    return counts
  }

  /// Searches the draft for everything of the original.
  private func prove(_ draft: StoreFiles, _ index: OriginalIndex) throws {
    let connection = try Connection(path: draft.path, mode: .readOnlyUnshared)
    let result = OriginalReader(
      files: draft, tables: source.reader.tables, words: source.reader.words)
    let traces = try ResultCheck(original: source.reader, index: index)
      .traces(of: result, connection, from: source.opened.connection)
    guard traces.isEmpty else { throw AnonymisingError.unproven(traces) }
  }

  private func name(_ draft: StoreFiles, as files: StoreFiles) throws {
    let support = "\(draft.folder)/\(draft.supportFolderName)"
    if try FileSystem.exists(support) {
      try FileSystem.rename(support, to: "\(files.folder)/\(files.supportFolderName)")
    }
    try FileSystem.rename(draft.path, to: files.path)
    // Before the log: after a loss of power, a log alone would be in the next run's way.
    try FileSystem.synchronizeDirectory(files.folder)
    // A store whose log is missing looks incomplete, and a result looks like its original.
    guard try FileSystem.exists(source.reader.files.wal) else { return }
    _ = try FileDescriptor(creating: files.wal, mode: 0o644)
    try FileSystem.synchronizeDirectory(files.folder)
  }

  private func remove(_ draft: StoreFiles) throws {
    try draft.removeDatabaseFiles()
    let support = "\(draft.folder)/\(draft.supportFolderName)"
    if try FileSystem.exists(support) { try FileSystem.removeTree(support) }
  }

  private func tables(_ counts: [Int: Int64]) throws -> [AnonymisedStore.TableRows] {
    try source.reader.tables.indices.compactMap { place in
      let table = source.reader.tables[place]
      guard let rows = counts[place], !SystemTables.names.contains(table.name.uppercased()) else {
        return nil
      }
      let query = "SELECT count(*) FROM main.\(quoteIdentifier(table.name))"
      let all = try source.opened.connection.value(query)?.int64 ?? 0
      guard all > 0 else { return nil }
      return AnonymisedStore.TableRows(name: table.title, rows: rows, ofRows: all)
    }
  }
}
