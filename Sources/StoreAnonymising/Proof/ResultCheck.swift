import Platform
import SQLite
import StoreFormat
import StoreModel

/// Searches a result for anything of its original.
struct ResultCheck {
  /// What may be the original's, until it is compared exactly.
  private struct Suspect: Hashable {
    let kind: LeftTrace.Kind
    let place: String
    let identity: [UInt8]
  }

  /// Suspects are compared in groups, so that memory stays bounded.
  private static let limit = 200_000

  let original: OriginalReader
  let index: OriginalIndex

  /// Searches a result.
  ///
  /// - Parameters:
  ///   - result: The files and tables of the result.
  ///   - connection: A connection to the result.
  ///   - source: A connection to the original.
  /// - Returns: What the result has of the original; empty if it has nothing.
  /// - Throws: An error of the layers below if a file can't be read.
  /// - Complexity: O(*n*) in the sizes of both; the original is read again if there are suspects.
  func traces(
    of result: OriginalReader, _ connection: borrowing Connection,
    from source: borrowing Connection
  ) throws -> [LeftTrace] {
    var counts: [LeftTrace: Int] = [:]
    var found = Found(after: -Self.limit)
    repeat {
      found = try suspects(of: result, connection, after: found.end)
      for trace in try confirmed(found.suspects, source) {
        counts[LeftTrace(kind: trace.kind, place: trace.place, count: 0), default: 0] += trace.count
      }
    } while found.hasMore
    var traces = counts.map { LeftTrace(kind: $0.key.kind, place: $0.key.place, count: $0.value) }
      .sorted { ($0.place, $0.kind.rawValue) < ($1.place, $1.kind.rawValue) }
    let slack = try slack(of: result.files.path, connection)
    if slack > 0 {
      traces.append(LeftTrace(kind: .slack, place: result.files.name, count: slack))
    }
    traces += try result.files.strayFiles()
    let caches = try result.modelCaches(connection).count { bytes in
      CachedModel(bytes).map { $0.plain != bytes } ?? false
    }
    if caches > 0 {
      traces.append(LeftTrace(kind: .slack, place: "Z_MODELCACHE", count: caches))
    }
    return traces
  }

  /// A group of suspects, in the order in which a result is read.
  private final class Found {
    private(set) var suspects: Set<Suspect> = []
    private let start: Int
    private var count = 0

    init(after start: Int) { self.start = start }

    /// The number of suspects up to the end of the group.
    var end: Int { start + ResultCheck.limit }

    var hasMore: Bool { count > end }

    func add(_ others: [Suspect]) {
      for other in others {
        if count >= start && count < end { suspects.insert(other) }
        count += 1
      }
    }
  }

  private func suspects(
    of result: OriginalReader, _ connection: borrowing Connection, after start: Int
  ) throws -> Found {
    let found = Found(after: start)
    try result.forEachPiece(connection) { piece, column in
      found.add(suspects(in: piece, column.place))
    }
    try forEachExternalFile(of: result.files) { name, bytes in
      let column = "_EXTERNAL_DATA"
      if let uuid = uuidBytes(name) { found.add(suspects(in: .uuid(uuid), column)) }
      found.add(suspects(in: .bytes(bytes), column))
    }
    return found
  }

  private func suspects(in piece: Piece, _ place: String) -> [Suspect] {
    var suspects: [Suspect] = []
    if let identity = piece.identity, index.mayHave(piece) {
      suspects.append(Suspect(kind: piece.traceKind, place: place, identity: identity))
    }
    for word in piece.words where index.mayHave(word) {
      suspects.append(Suspect(kind: .text, place: place, identity: word.identity))
    }
    piece.runs.forEachRun { run, _ in
      if index.mayHave(run: run) {
        suspects.append(Suspect(kind: .run, place: place, identity: run.bytes))
      }
    }
    return suspects
  }

  /// Returns the suspects that the original really has, counted by kind and place.
  private func confirmed(
    _ suspects: Set<Suspect>, _ source: borrowing Connection
  ) throws -> [LeftTrace] {
    guard !suspects.isEmpty else { return [] }
    let runs = Set(suspects.filter { $0.kind == .run }.map(\.identity))
    let others = Set(suspects.filter { $0.kind != .run }.map(\.identity))
    let known = Known()
    try original.forEachRun { run in
      if runs.contains(run.bytes) { known.runs.insert(run.bytes) }
    }
    try original.forEachPiece(source) { piece, _ in
      if let identity = piece.identity, others.contains(identity) {
        known.others.insert(identity)
      }
      for word in piece.words where others.contains(word.identity) {
        known.others.insert(word.identity)
      }
      piece.runs.forEachRun { run, _ in
        if runs.contains(run.bytes) { known.runs.insert(run.bytes) }
      }
    }
    let real = suspects.filter {
      ($0.kind == .run ? known.runs : known.others).contains($0.identity)
    }
    return Dictionary(grouping: real) { LeftTrace(kind: $0.kind, place: $0.place, count: 0) }
      .map { LeftTrace(kind: $0.key.kind, place: $0.key.place, count: $0.value.count) }
  }

  private final class Known {
    var runs: Set<[UInt8]> = []
    var others: Set<[UInt8]> = []
  }

  private func slack(of path: String, _ connection: borrowing Connection) throws -> Int {
    var slack = try PageSlack(path, clears: false)
    try slack.walk(connection.roots())
    return slack.findings
  }

  private func forEachExternalFile(
    of files: StoreFiles, _ body: (String, [UInt8]) throws -> Void
  ) throws {
    // A link in place of a folder is a finding of its own, and isn't followed.
    let parent = try files.openFolder()
    guard try parent.statusIfPresent(of: files.supportFolderName)?.kind == .directory,
      let support = try parent.directoryIfPresent(files.supportFolderName),
      try support.statusIfPresent(of: "_EXTERNAL_DATA")?.kind == .directory,
      let folder = try support.directoryIfPresent("_EXTERNAL_DATA")
    else { return }
    for name in try folder.listText() where try folder.status(of: name).kind == .regular {
      try body(name, try folder.open(name).readAll())
    }
  }
}

extension Piece {
  fileprivate var traceKind: LeftTrace.Kind {
    switch self {
    case .text: .text
    case .uuid: .uuid
    case .date: .date
    case .integer, .real, .flag: .number
    case .bytes: .run
    }
  }
}

extension Connection {
  /// The first pages of all tables and indexes but the schema's own.
  func roots() throws -> [Int64] {
    try rows("SELECT rootpage FROM main.sqlite_schema WHERE rootpage > 0").compactMap {
      $0[0].int64
    }
  }
}
