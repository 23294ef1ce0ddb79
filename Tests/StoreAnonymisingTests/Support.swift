import Migrations
import Platform
import SQLite
import StoreAnonymising
import StoreMigration
import TestSupport

/// Looks for an original in a result by its own means: it shares no code with the library's check.
///
/// It compares runs of letters and digits: eight in a value, and twelve anywhere in the file, where
/// short values lie side by side. A run is allowed if it is part of what a result keeps: the schema,
/// the metadata, the model, and words of the app. Digits of a number in JSON are compared as a whole,
/// as `Anonymising.md` says: a date may share eight digits with another one some seconds away.
struct ByteScanner {
  private var known: Set<UInt64> = []
  private var knownLong: Set<UInt64> = []
  private var texts: Set<[UInt8]> = []
  private var numbers: Set<[UInt8]> = []

  /// Reads the original: its files, and the texts in its rows.
  init(files: [String], store path: String) throws {
    for bytes in try files.map({ try FileSystem.read($0) })
      + Self.values(of: path).compactMap(\.bytes)
    {
      Self.forEachRun(of: bytes, 8) { run, _ in known.insert(run) }
      Self.forEachRun(of: bytes, 12) { run, _ in knownLong.insert(run) }
      numbers.formUnion(bytes.split { !$0.isOfNumber }.filter { $0.count > 8 }.map { [UInt8]($0) })
      // An empty archive has nothing but its form.
      if (5...1_000).contains(bytes.count), bytes.contains(where: \.isLetterOrDigit),
        !bytes.starts(with: "bplist00".utf8)
      {
        texts.insert(bytes)
      }
    }
  }

  /// Returns what a result has of the original, as text; a test prints only invented values.
  func findings(in path: String, allowing words: [String]) throws -> [String] {
    let allowed = AllowedRuns(try Self.kept(by: path, words))
    var findings: [String] = []
    func search(_ bytes: [UInt8], _ length: Int, for known: Set<UInt64>) {
      Self.forEachRun(of: bytes, length) { run, place in
        let run = known.contains(run) ? bytes[(place - length + 1)...place] : []
        if !run.isEmpty, !allowed.holds(run), length > 8 || !isInAnotherNumber(run, of: bytes) {
          findings.append(String(decoding: run, as: UTF8.self))
        }
      }
    }
    search(try FileSystem.read(path), 12, for: knownLong)
    let own = Set(words.map { Array($0.utf8) })
    let system: Set = ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"]
    for bytes in try Self.values(of: path, besides: system).compactMap(\.bytes)
    where !own.contains(bytes) {
      search(bytes, 8, for: known)
      if texts.contains(bytes) {
        findings.append("the text '\(String(decoding: bytes, as: UTF8.self))'")
      }
    }
    return findings
  }

  /// Whether digits are a part of a number in JSON that the original doesn't have.
  private func isInAnotherNumber(_ run: ArraySlice<UInt8>, of bytes: [UInt8]) -> Bool {
    guard run.allSatisfy(\.isDigit) else { return false }
    let before = bytes[..<run.startIndex].reversed().prefix(while: \.isOfNumber).count
    let after = bytes[run.endIndex...].prefix(while: \.isOfNumber).count
    let (start, end) = (run.startIndex - before, run.endIndex + after)
    guard start > 0, end < bytes.count, ":[,".utf8.contains(bytes[start - 1]),
      ",]}".utf8.contains(bytes[end])
    else { return false }
    return end - start > run.count && !numbers.contains([UInt8](bytes[start..<end]))
  }

  /// What a result keeps, as one text.
  private static func kept(by path: String, _ words: [String]) throws -> [UInt8] {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    var kept = (words + frameworkWords).joined(separator: "\n").utf8.map { $0 }
    var queries = [
      "SELECT type || name || tbl_name || ' ' || tbl_name || coalesce(sql, '') FROM sqlite_schema",
      "SELECT sql || ' ' || name FROM sqlite_schema WHERE sql IS NOT NULL",
      "SELECT Z_PLIST FROM Z_METADATA", "SELECT Z_NAME FROM Z_PRIMARYKEY",
    ]
    if try connection.value("SELECT 1 FROM sqlite_schema WHERE name = 'Z_MODELCACHE'") != nil {
      queries.append("SELECT Z_CONTENT FROM Z_MODELCACHE")
    }
    for query in queries {
      for row in try connection.rows(query) { kept += [0x0A] + (row[0].bytes ?? []) }
    }
    return kept
  }

  /// The words of keyed archives that Foundation writes.
  private static let frameworkWords = [
    "$archiver", "NSKeyedArchiver", "$classname", "$classes", "$class", "$objects", "$top",
    "$version",
    "NSObject", "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NS.objects",
    "NS.keys", "NS.uuidbytes", "NSMutableSet", "NSMutableData", "NSMutableString", "NSUUID",
    "NSSet", "NSDate", "NS.time", "NSData", "NSURL", "root",
    "sqlite_autoindex", "VNSDataXNSObject", "WNSArrayXNSObject",
    "NSMutableSetUNSSetXNSObject",
  ]

  static func values(of path: String, besides tables: Set<String> = []) throws -> [Value] {
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let names = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return try names.compactMap { $0[0].string }.filter { !tables.contains($0) }.flatMap {
      try connection.rows("SELECT * FROM \(quoteIdentifier($0))").flatMap { $0 }
    }
  }

  /// Calls a closure with a number for each run of letters and digits of ASCII.
  private static func forEachRun(
    of bytes: [UInt8], _ length: Int, _ body: (UInt64, Int) -> Void
  ) {
    var (run, before, count) = (UInt64(0), UInt64(0), 0)
    for (place, byte) in bytes.enumerated() {
      before = before << 8 | run >> 56
      run = run << 8 | UInt64(byte)
      count = byte.isLetterOrDigit ? count + 1 : 0
      // The offsets at the end of a property list ascend, and say nothing.
      guard count >= length else { continue }
      let slice = bytes[(place - length + 1)...place]
      // Nor do round numbers.
      let isRound =
        slice.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        && slice.suffix(6).allSatisfy { $0 == UInt8(ascii: "0") }
      guard !slice.ascends, !isRound else { continue }
      body(length == 8 ? run : run &* 0x9E37_79B9_7F4A_7C15 ^ (before & 0xFFFF_FFFF), place)
    }
  }
}

/// The runs that words which are kept explain.
///
/// Such words lie side by side in records and archives, with a byte or two of their form between.
private struct AllowedRuns {
  private var whole: Set<[UInt8]> = []
  private var words: Set<[UInt8]> = []
  private var beginnings: Set<[UInt8]> = [[]]
  private var ends: Set<[UInt8]> = []

  init(_ bytes: [UInt8]) {
    for word in bytes.split(whereSeparator: { !$0.isLetterOrDigit }).map({ [UInt8]($0) }) {
      if word.count >= 4 { words.insert(word) }
      for length in 1...12 where length <= word.count {
        beginnings.insert([UInt8](word.prefix(length)))
        ends.insert([UInt8](word.suffix(length)))
      }
      for length in [8, 12] {
        for place in word.indices.dropFirst(length - 1) {
          whole.insert([UInt8](word[(place - length + 1)...place]))
        }
      }
    }
  }

  func holds(_ run: ArraySlice<UInt8>) -> Bool {
    let run = [UInt8](run)
    return whole.contains(run) || explains(run, from: 0, others: run.count > 8 ? 2 : 1)
  }

  /// Whether the rest of a run consists of words, after the end of one, and of a few other bytes.
  private func explains(_ run: [UInt8], from start: Int, others: Int) -> Bool {
    if beginnings.contains([UInt8](run[start...])) { return true }
    return (start + 1...run.count).contains { end in
      (start == 0 ? ends : words).contains([UInt8](run[start..<end]))
        && explains(run, from: end, others: others)
    } || (others > 0 && explains(run, from: start + 1, others: others - 1))
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }

  /// Whether the byte can be in a decimal number.
  fileprivate var isOfNumber: Bool { isDigit || self == UInt8(ascii: ".") }

  fileprivate var isLetterOrDigit: Bool {
    isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
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
