package import Platform
package import SQLite

/// The content hash of a store, which covers every value of every row and nothing else.
///
/// Two stores of one version have equal hashes exactly if their entities have equal rows, and so
/// have the tables that belong neither to the model nor to Core Data. `Z_OPT`, history, metadata
/// and the position of rows in the file don't affect the hash. It stays the same if the app opens
/// the store, or after a checkpoint.
///
/// The hash is taken over each table's name and ``TableDigest``, of all tables but those that are
/// left out. Code that reads a table for another purpose can compute the digest in the same pass.
package struct ContentHash {
  package let algorithm: HashAlgorithm
  package let layout: StoreLayout

  /// The tables that belong neither to the model nor to Core Data.
  package let unmodeledTables: [StoreDescription.TableDescription]

  /// The schema that each table is read from.
  package let schema: (String) -> String

  /// The tables that aren't hashed, because their rows are known otherwise.
  package let leftOut: Set<String>

  package init(
    _ algorithm: HashAlgorithm = .xxh128, layout: StoreLayout, store: StoreDescription,
    schema: String, leavingOut leftOut: Set<String> = []
  ) {
    self.init(
      algorithm, layout: layout, unmodeledTables: store.unmodeledTables(in: layout),
      leavingOut: leftOut
    ) { _ in schema }
  }

  package init(
    _ algorithm: HashAlgorithm = .xxh128, layout: StoreLayout,
    unmodeledTables: [StoreDescription.TableDescription],
    leavingOut leftOut: Set<String> = [], schema: @escaping (String) -> String
  ) {
    self.algorithm = algorithm
    self.leftOut = leftOut
    self.layout = layout
    self.unmodeledTables = unmodeledTables
    self.schema = schema
  }

  /// Returns the hash, in hexadecimal digits.
  ///
  /// - Parameters:
  ///   - connection: The connection.
  ///   - digests: The digests by XXH128 of tables that were read already, by table name.
  /// - Returns: 32 digits, or 64 of a SHA-256.
  /// - Throws: A `SQLiteError` if a table can't be read.
  package func value(
    _ connection: borrowing Connection, knowing digests: [String: [UInt8]] = [:]
  ) throws -> String {
    let known = algorithm == .xxh128 ? digests : [:]
    var hash = ContentHasher(algorithm)
    for part in parts where !leftOut.contains(part.table) {
      hash.update(Self.entry(of: part.table).span)
      let digest = try known[part.table] ?? digest(of: part, by: algorithm, connection)
      hash.update(digest.span)
    }
    return Hexadecimal.encode(hash.finalize())
  }

  /// The names of all tables that belong to a store's content, hashed or left out.
  package var tables: Set<String> { Set(parts.map(\.table)) }

  /// Returns the XXH128 of a table's rows; `nil` if the table doesn't belong to the content.
  ///
  /// - Throws: A `SQLiteError` if the table can't be read.
  /// - Complexity: O(*n*) in the number of the table's rows.
  package func digest(
    of table: String, _ connection: borrowing Connection
  ) throws -> [UInt8]? {
    try parts.first { $0.table == table }.map { try digest(of: $0, by: .xxh128, connection) }
  }

  /// The columns of one table that are hashed, and the order of its rows.
  private struct Part {
    let table: String
    let columns: [String]
    let order: String
  }

  private var parts: [Part] {
    layout.tables.map { Part(table: $0.name, columns: $0.contentColumns, order: "Z_PK") }
      + layout.joinTables.map { Part(table: $0.name, columns: $0.columnNames, order: "1, 2") }
      // The rows of a virtual table are in other tables, which count.
      + unmodeledTables.filter { !$0.isVirtual }.sorted { $0.name < $1.name }.map { table in
        let columns = table.columns.map(\.name)
        // Such a table may have no key, so its rows are ordered by all columns.
        let order = (1...max(columns.count, 1)).map(String.init).joined(separator: ", ")
        return Part(table: table.name, columns: columns, order: order)
      }
  }

  private func digest(
    of part: Part, by algorithm: HashAlgorithm, _ connection: borrowing Connection
  ) throws -> [UInt8] {
    var digest = TableDigest(algorithm)
    let names = part.columns.map(quoteIdentifier).joined(separator: ", ")
    let table = qualified(part.table, in: schema(part.table))
    var rows = try connection.prepare("SELECT \(names) FROM \(table) ORDER BY \(part.order)")
    let columns = Array(part.columns.indices)
    while try rows.step() { digest.add(rows, columns: columns) }
    return digest.finish()
  }

  /// Returns the byte FF, the length of a table's name in 8 bytes (little-endian), and the name.
  private static func entry(of table: String) -> [UInt8] {
    let name = Array(table.utf8)
    return [0xFF] + (0..<8).map { UInt8(truncatingIfNeeded: name.count >> ($0 * 8)) } + name
  }
}

extension Table {
  /// The columns of the content hash, in the order in which they are hashed.
  package var contentColumns: [String] {
    columns.filter { $0.content != .optimisticLock }.map(\.name).sorted()
  }
}
