import Platform
import SQLite
import StoreFormat
import StoreModel

/// The logical hash of a store: over every value of every row, and nothing else.
///
/// Two stores of one version have equal hashes exactly if their entities have equal rows, and so have
/// tables that belong neither to the model nor to Core Data. `Z_OPT`,
/// history, metadata and the places of rows in the file don't enter, so that the app's opening the
/// store, or a checkpoint, leaves the hash as it is.
struct ContentHash {
  let layout: StoreLayout

  /// The tables that belong neither to the model nor to Core Data.
  let strangers: [StoreDescription.TableDescription]

  /// The schema that each table is read from.
  let schema: (String) -> String

  init(layout: StoreLayout, store: StoreDescription, schema: String) {
    self.init(layout: layout, strangers: store.strangers(to: layout)) { _ in schema }
  }

  init(
    layout: StoreLayout, strangers: [StoreDescription.TableDescription],
    schema: @escaping (String) -> String
  ) {
    self.layout = layout
    self.strangers = strangers
    self.schema = schema
  }

  /// Reads the store and returns the hash, in hexadecimal digits.
  func value(_ connection: borrowing Connection) throws -> String {
    var digest = ContentDigest()
    for table in layout.tables {
      let columns = table.columns.filter { $0.content != .optimisticLock }.map(\.name).sorted()
      try add(table.name, columns, order: "Z_PK", connection, &digest)
    }
    for table in layout.joinTables {
      try add(table.name, table.columnNames, order: "1, 2", connection, &digest)
    }
    for table in strangers.sorted(by: { $0.name < $1.name }) {
      let columns = table.columns.map(\.name)
      let order = (1...max(columns.count, 1)).map(String.init).joined(separator: ", ")
      try add(table.name, columns, order: order, connection, &digest)
    }
    return digest.finish()
  }

  private func add(
    _ table: String, _ columns: [String], order: String, _ connection: borrowing Connection,
    _ digest: inout ContentDigest
  ) throws {
    digest.add(name: table)
    let names = columns.map(quoteIdentifier).joined(separator: ", ")
    let from = "\(quoteIdentifier(schema(table))).\(quoteIdentifier(table))"
    var statement = try connection.prepare("SELECT \(names) FROM \(from) ORDER BY \(order)")
    while try statement.step() {
      for place in columns.indices { digest.add(statement, column: place) }
    }
  }
}

/// A SHA-256 over values, each preceded by its storage class and length.
struct ContentDigest: ~Copyable {
  private var hash = SHA256()
  private var buffer: [UInt8] = []

  init() { buffer.reserveCapacity(1 << 16) }

  mutating func add(name: String) {
    buffer.append(0xFF)
    add(UInt64(name.utf8.count))
    buffer += Array(name.utf8)
  }

  mutating func add(_ row: borrowing Statement, column: Int) {
    switch row.type(at: column) {
    case .null: buffer.append(0)
    case .integer:
      buffer.append(1)
      add(UInt64(bitPattern: row.int64(at: column)))
    case .real:
      buffer.append(2)
      add(row.double(at: column).bitPattern)
    case .text, .blob:
      buffer.append(row.type(at: column) == .text ? 3 : 4)
      row.withBytes(at: column) { bytes in
        add(UInt64(bytes.count))
        flush()
        hash.update(bytes)
      }
    }
    if buffer.count > 1 << 15 { flush() }
  }

  consuming func finish() -> String {
    flush()
    return Hexadecimal.encode(hash.finalize())
  }

  private mutating func add(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      buffer.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private mutating func flush() {
    hash.update(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
