import Platform
import SQLite
import StoreFormat
import StoreModel

/// Writes the rows of an original, with their values replaced, into a new file.
struct AnonymousStore {
  let original: OriginalReader
  let statements: SchemaStatements
  let replacer: Replacer

  /// Which rows to write; `nil` for all.
  let choice: RowChoice?

  /// Writes the file.
  ///
  /// - Returns: The number of rows of each table, by the table's place.
  func write(
    to path: String, from connection: borrowing Connection, progress: (Double) -> Void
  ) throws -> [Int: Int64] {
    let result = try Connection(path: path, mode: .create)
    try result.set(.defensive, to: false)
    // An unfinished result is removed, so it needs no journal.
    for setting in ["journal_mode = OFF", "synchronous = OFF", "cache_size = -32768"] {
      try result.pragma(setting)
    }
    for name in ["page_size", "auto_vacuum"] {
      try result.pragma("\(name) = \(try connection.pragma("main.\(name)").int64 ?? 0)")
    }
    var counts: [Int: Int64] = [:]
    try result.execute("BEGIN")
    for sql in statements.tables { try result.execute(sql, []) }
    for place in original.tables.indices where !original.tables[place].columns.isEmpty {
      progress(Double(place) / Double(original.tables.count))
      counts[place] = try copy(place, from: connection, to: result)
    }
    for sql in statements.indexes + statements.triggers { try result.execute(sql, []) }
    try raiseHighestKeys(result)
    try result.execute("COMMIT")
    try result.pragma("journal_mode = WAL")
    return counts
  }

  private func copy(
    _ place: Int, from connection: borrowing Connection, to result: borrowing Connection
  ) throws -> Int64 {
    let table = original.tables[place]
    let replacer = replacer
    let walk = ValueWalk(words: original.words) { try replacer.replace($0, $1) }
    let names = table.columns.map { quoteIdentifier($0.column) }.joined(separator: ", ")
    let parameters = table.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    var writing = try result.prepare(
      "INSERT INTO main.\(quoteIdentifier(table.name)) (\(names)) VALUES (\(parameters))")
    var reading = try connection.prepare(table.query + (choice?.condition(for: place) ?? ""))
    var count: Int64 = 0
    while try reading.step() {
      for (index, column) in table.columns.enumerated() {
        try writing.bind(try walk.walk(reading.value(at: index), column), at: index + 1)
      }
      try writing.run()
      count += 1
    }
    return count
  }

  /// Sets highest keys that were replaced to the largest number with their digits.
  ///
  /// Replaced keys have as many digits as before, so none of them is above it.
  private func raiseHighestKeys(_ result: borrowing Connection) throws {
    guard let table = original.tables.first(where: { $0.name.uppercased() == "Z_PRIMARYKEY" })
    else { return }
    let name = quoteIdentifier(table.name)
    for row in try result.rows("SELECT rowid, Z_MAX FROM \(name) WHERE Z_MAX > 999999") {
      let digits = "\(row[1].int64 ?? 0)".utf8.count
      let highest = Int64(String(repeating: "9", count: min(digits, 18))) ?? 0
      try result.execute(
        "UPDATE \(name) SET Z_MAX = ?2 WHERE rowid = ?1", [row[0], .integer(highest)])
    }
  }
}

extension AnonymousStore {
  /// Writes a file of random bytes for each file of external data that a row names.
  ///
  /// A file that is missing beside the original is missing beside the result. Each file is as long
  /// as the original's, up to 1 MiB.
  ///
  /// - Returns: The number of files.
  func writeExternalData(beside path: String) throws -> Int {
    guard let folder = try original.files.openExternalData() else { return 0 }
    let files = StoreFiles(path: path)
    var count = 0
    for name in try folder.listText() {
      guard let uuid = uuidBytes(name), try folder.status(of: name).kind == .regular else {
        continue
      }
      let size = Int(min(try folder.status(of: name).size, 1 << 20))
      let content = try folder.open(name).read(size, at: 0)
      let column = ColumnShape(column: name, place: "_EXTERNAL_DATA", role: .value)
      guard case .uuid(let other) = try replacer.replace(.uuid(uuid), column),
        case .bytes(let bytes) = try replacer.replace(.bytes(content), column)
      else { continue }
      if count == 0 {
        let support = "\(files.folder)/\(files.supportFolderName)"
        for folder in [support, files.externalDataFolder] where try !FileSystem.exists(folder) {
          try FileSystem.createDirectory(folder)
        }
      }
      let file = try FileDescriptor(
        creating: "\(files.externalDataFolder)/\(uuidText(other))", mode: 0o644)
      try file.write(bytes)
      count += 1
    }
    return count
  }
}
