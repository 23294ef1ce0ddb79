import Platform
import SQLite
import StoreFormat

/// Reads everything that an original has: the bytes of its files, and the values of its rows.
struct OriginalReader {
  let files: StoreFiles
  let tables: [TableShape]
  let words: KeptWords

  /// The number of bytes of all files.
  func size() throws -> Int64 {
    var size: Int64 = 0
    try forEachFile { file in size += try file.status().size }
    return size
  }

  /// Calls a closure with each run of eight bytes of the files: free pages and the log count.
  func forEachRun(_ body: (UInt64) throws -> Void) throws {
    try forEachFile { file in
      let size = try file.status().size
      var window = RunWindow()
      var offset: Int64 = 0
      while offset < size {
        try StopSignal.check()
        let piece = try file.read(Int(min(size - offset, 1 << 20)), at: offset)
        guard !piece.isEmpty else { return }
        for byte in piece { if let run = window.add(byte) { try body(run) } }
        offset += Int64(piece.count)
      }
    }
  }

  /// Calls a closure with each piece of each value, and with the shape of its column.
  func forEachPiece(
    _ connection: borrowing Connection, _ body: @escaping (Piece, ColumnShape) throws -> Void
  ) throws {
    let walk = ValueWalk(words: words) { piece, column in
      try body(piece, column)
      return piece
    }
    for table in tables where !table.columns.isEmpty {
      var rows = try connection.prepare(table.query)
      while try rows.step() {
        for (place, column) in table.columns.enumerated() {
          _ = try walk.walk(rows.value(at: place), column)
        }
      }
    }
  }

  /// Returns the model caches; a store has one.
  func modelCaches(_ connection: borrowing Connection) throws -> [[UInt8]] {
    var caches: [[UInt8]] = []
    for table in tables where table.columns.contains(where: { $0.role == .modelCache }) {
      for row in try connection.rows(table.query) { caches += row.compactMap(\.bytes) }
    }
    return caches
  }

  private func forEachFile(_ body: (borrowing FileDescriptor) throws -> Void) throws {
    for path in [files.path, files.wal, files.journal] where try FileSystem.exists(path) {
      try body(try FileDescriptor(opening: path))
    }
    if let folder = try files.openExternalData() {
      for name in try folder.listText() where try folder.status(of: name).kind == .regular {
        try body(try folder.open(name))
      }
    }
  }
}

extension TableShape {
  /// The statement that reads the table's rows.
  var query: String {
    let list = columns.map { quoteIdentifier($0.column) }.joined(separator: ", ")
    return "SELECT \(list) FROM main.\(quoteIdentifier(name))"
  }
}
