import Migrations
import Platform
import SQLite
import StoreAnonymising
import StoreMigration
import TestSupport

/// Looks for an original in a result by its own means: it shares no code with the library's check.
///
/// It reads both files as bytes, and compares the runs of eight letters and digits. A run is allowed
/// if it is part of what a result keeps: the schema, the metadata, the model, and words of the app.
struct ByteScanner {
  private let known: Set<UInt64>
  private let texts: Set<[UInt8]>

  /// Reads the original: its files, and the texts in its rows.
  init(files: [String], store path: String) throws {
    var known: Set<UInt64> = []
    for file in files {
      Self.forEachRun(of: try FileSystem.read(file)) { run, _ in known.insert(run) }
    }
    var texts: Set<[UInt8]> = []
    for value in try Self.values(of: path) {
      guard let bytes = value.bytes else { continue }
      Self.forEachRun(of: bytes) { run, _ in known.insert(run) }
      if (5...1_000).contains(bytes.count), bytes.contains(where: \.isLetterOrDigit) {
        texts.insert(bytes)
      }
    }
    (self.known, self.texts) = (known, texts)
  }

  /// Returns what a result has of the original, as text; a test prints only invented values.
  func findings(in path: String, allowing words: [String]) throws -> [String] {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    var allowed = (words + Self.frameworkWords).joined(separator: "\n").utf8.map { $0 }
    for query in [
      "SELECT type || name || tbl_name || ' ' || tbl_name || coalesce(sql, '') FROM sqlite_schema",
      "SELECT sql || ' ' || name FROM sqlite_schema WHERE sql IS NOT NULL",
      "SELECT Z_PLIST FROM Z_METADATA", "SELECT Z_NAME FROM Z_PRIMARYKEY",
    ] {
      for row in try connection.rows(query) { allowed += [0x0A] + (row[0].bytes ?? []) }
    }
    if try connection.value("SELECT 1 FROM sqlite_schema WHERE name = 'Z_MODELCACHE'") != nil {
      for row in try connection.rows("SELECT Z_CONTENT FROM Z_MODELCACHE") {
        allowed += [0x0A] + (row[0].bytes ?? [])
      }
    }
    let fine = AllowedRuns(allowed)
    var findings: [String] = []
    let bytes = try FileSystem.read(path)
    Self.forEachRun(of: bytes) { run, place in
      if known.contains(run), !fine.holds(bytes[place - 7...place]) {
        findings.append(String(decoding: bytes[place - 7...place], as: UTF8.self))
      }
    }
    let own = Set(words.map { Array($0.utf8) })
    for row in try Self.values(of: path, besides: ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"]) {
      guard let bytes = row.bytes, texts.contains(bytes), !own.contains(bytes) else { continue }
      findings.append("the text '\(String(decoding: bytes, as: UTF8.self))'")
    }
    return findings
  }

  /// The words of keyed archives that Foundation writes.
  private static let frameworkWords = [
    "$archiver", "NSKeyedArchiver", "$classname", "$classes", "$class", "$objects", "$top", "$version",
    "NSObject", "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NS.objects",
    "NS.keys", "NS.uuidbytes", "NSMutableSet", "NSMutableData", "NSMutableString", "NSUUID", "NSSet", "NSDate", "NS.time", "NSData", "NSURL", "root",
    "sqlite_autoindex",
  ]

  static func values(of path: String, besides tables: Set<String> = []) throws -> [Value] {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let names = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return try names.compactMap { $0[0].string }.filter { !tables.contains($0) }.flatMap {
      try connection.rows("SELECT * FROM \(quoteIdentifier($0))").flatMap { $0 }
    }
  }

  /// Calls a closure with each run of eight letters and digits of ASCII.
  private static func forEachRun(of bytes: [UInt8], _ body: (UInt64, Int) -> Void) {
    var (run, length) = (UInt64(0), 0)
    for (place, byte) in bytes.enumerated() {
      run = run << 8 | UInt64(byte)
      length = byte.isLetterOrDigit ? length + 1 : 0
      // The offsets at the end of a property list ascend, and say nothing.
      if length >= 8, !bytes[place - 7...place].ascends { body(run, place) }
    }
  }
}

/// What a run may consist of: the end of a word that is kept, one byte between, and the beginning of
/// another. Words that are kept lie side by side in records and archives.
private struct AllowedRuns {
  private var whole: Set<[UInt8]> = []
  private var beginnings: Set<[UInt8]> = [[]]
  private var ends: Set<[UInt8]> = [[]]

  init(_ bytes: [UInt8]) {
    for word in bytes.split(whereSeparator: { !$0.isLetterOrDigit }).map({ [UInt8]($0) }) {
      for length in 1...8 where length <= word.count {
        beginnings.insert([UInt8](word.prefix(length)))
        ends.insert([UInt8](word.suffix(length)))
      }
      for place in word.indices.dropFirst(7) { whole.insert([UInt8](word[place - 7...place])) }
    }
  }

  func holds(_ run: ArraySlice<UInt8>) -> Bool {
    let run = [UInt8](run)
    if whole.contains(run) { return true }
    return (0...8).contains { place in
      let isEnd = ends.contains([UInt8](run[..<place]))
      return isEnd
        && (beginnings.contains([UInt8](run[place...]))
          || (place < 8 && beginnings.contains([UInt8](run[(place + 1)...]))))
    }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}

extension ArraySlice<UInt8> {
  /// Whether no byte is less than the one before.
  fileprivate var ascends: Bool { zip(self, dropFirst()).allSatisfy { $0 <= $1 } }
}

/// The files of a store that are there.
func filesOf(_ path: String) throws -> [String] {
  try [path, path + "-wal"].filter { try FileSystem.exists($0) }
}

/// What a plan says, as lines without the path; the error if there is no plan.
func planLines(of path: String, _ request: MigrationRequest) -> [String] {
  do {
    let plan = try StoreMigrator(catalog: .bundled).plan(for: path, request)
    var lines = ["\(plan.app) \(plan.from) \(plan.to) \(plan.rowsWritten)"]
    for step in plan.steps {
      lines.append("step \(step.verb) \(step.object) \(step.rows) \(step.isReversible)")
    }
    for conversion in plan.conversions {
      let classes = conversion.classes.map { "\($0.name) \($0.count)" }
      lines.append("conversion \(conversion.object) \(conversion.rows) \(classes)")
    }
    for loss in plan.losses { lines.append("loss \(loss.step) \(loss.object) \(loss.rows)") }
    for warning in plan.warnings {
      let types = warning.eventTypes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      lines.append("warning \(warning.code) \(warning.rows) \(types)")
    }
    for blocker in plan.blockers {
      lines.append("blocker \(blocker.message.replacing(path, with: "STORE"))")
    }
    return lines
  } catch {
    return ["error \(error.description.replacing(path, with: "STORE"))"]
  }
}
