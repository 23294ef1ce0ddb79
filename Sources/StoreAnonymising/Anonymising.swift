package import Migrations
import Platform
import SQLite
import StoreAccess
import StoreFormat
import StoreModel

/// What was written in place of a store.
package struct AnonymisedStore: Hashable, Sendable {
  /// The rows of a table.
  package struct TableRows: Hashable, Sendable {
    /// The name of the root entity, or of the table.
    package let name: String
    package let rows: Int64
    package let ofRows: Int64
  }

  /// The tables with rows.
  package let tables: [TableRows]
  package let replaced: ReplacedCounts
  package let kept: KeptNames

  /// The number of files of external data.
  package let externalFiles: Int
}

/// What a check of a result found.
package struct CheckedResult: Hashable, Sendable {
  package let traces: [LeftTrace]
  package let kept: KeptNames
}

/// Writes a store that behaves like another one and has nothing of its rows.
///
/// The original is opened without changing a byte. The result gets its name when it was searched for
/// everything that the original has.
///
/// - Parameters:
///   - path: The path of the original.
///   - output: The path of the result.
///   - catalog: The known versions and migrations, which say what words the app has.
///   - rows: The number of rows to write, or more, so that each class and link is there; `nil` for
///     all.
///   - seed: The seed of the replacements: equal seeds give equal results.
///   - progress: A closure to call with the done part of the writing.
/// - Returns: What was written.
/// - Throws: An ``AnonymisingError``; an incomplete result is removed then.
/// - Complexity: O(*n* log *n*) in the size of the original. Memory: at most five times its size,
///   and at most 512 MiB.
@discardableResult
package func anonymise(
  _ path: String, to output: String, catalog: Catalog, rows: Int? = nil, seed: UInt64,
  progress: (Double) -> Void = { _ in }
) throws(AnonymisingError) -> AnonymisedStore {
  try anonymising(path) {
    if let rows, rows < 1 { throw AnonymisingError.noRows(rows) }
    guard try FileSystem.exists(FileSystem.parent(of: output)) else {
      throw AnonymisingError.noFolder(FileSystem.parent(of: output))
    }
    let files = StoreFiles(path: output)
    // SQLite would take the result for a part of the store beside it, if only of the original.
    if ["-wal", "-shm", "-journal"].contains(where: files.name.lowercased().hasSuffix) {
      throw AnonymisingError.companionName(output)
    }
    if let existing = try files.firstExisting { throw AnonymisingError.exists(existing) }
    let support = "\(files.folder)/\(files.supportFolderName)"
    if try FileSystem.exists(support) { throw AnonymisingError.exists(support) }
    let source = try AnonymisingSource(path, catalog)
    let run = AnonymisingRun(source: source, path: path, rows: rows, seed: seed)
    return try run.write(to: files, progress)
  }
}

/// Searches a result for everything that its original has.
///
/// - Parameters:
///   - output: The path of the result.
///   - path: The path of the original.
///   - catalog: The known versions and migrations, which say what words the app has.
/// - Returns: What the result has of the original.
/// - Throws: An ``AnonymisingError`` if a store can't be read.
/// - Complexity: As for ``anonymise(_:to:catalog:rows:seed:progress:)``.
package func checkAnonymised(
  _ output: String, against path: String, catalog: Catalog
) throws(AnonymisingError) -> CheckedResult {
  try anonymising(path) {
    let source = try AnonymisingSource(path, catalog)
    let index = try OriginalIndex(source.reader, source.opened.connection, path: path)
    let files = try StoreFiles(resolving: output)
    let hasSharedMemory = try FileSystem.exists(files.sharedMemory)
    let result = try anonymising(output) { try AnonymisingSource(output, catalog) }
    if try result.reader.files.hasLog || FileSystem.exists(result.reader.files.journal) {
      throw AnonymisingError.hasLog(output)
    }
    let statements = try SchemaStatements(result.store, path: output)
    let check = ResultCheck(original: source.reader, index: index)
    // The original's words: the result's model could name others.
    let reader = OriginalReader(
      files: result.reader.files, tables: result.reader.tables, words: source.reader.words)
    var traces = try check.traces(
      of: reader, result.opened.connection, from: source.opened.connection)
    if hasSharedMemory {
      traces.append(LeftTrace(kind: .file, place: files.name + "-shm", count: 1))
    }
    try source.confirmUnchanged(path)
    return CheckedResult(
      traces: traces,
      kept: KeptNames(
        result.store, model: result.model, words: source.reader.words,
        schemaWords: statements.words, caches: try reader.modelCaches(result.opened.connection)))
  }
}

/// Runs a closure, and wraps the errors of the layers below.
func anonymising<Result: ~Copyable>(
  _ path: String, _ body: () throws -> Result
) throws(AnonymisingError) -> Result {
  do {
    return try body()
  } catch let error as AnonymisingError {
    throw error
  } catch let error as SystemError {
    throw .system(error)
  } catch {
    guard let error = StoreAccessError(known: error, path: path) else {
      preconditionFailure("anonymising throws errors of the layers below, not \(error)")
    }
    throw .access(error)
  }
}
