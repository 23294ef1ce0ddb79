import JSONText
import Platform
import SQLite
import TestSupport
import Testing
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// No command prints a secret, or a row's value without `--show-values`.
///
/// This is invariant 9 of `Durability.md`.
///
/// Every text and blob of the stores contains a word that occurs nowhere else, and every JSON text
/// contains a password with another such word. The stores' UUID, from which the key of fingerprints
/// is made, is such a word too.
@Suite struct SecrecyTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  // MARK: Stores

  private enum Word {
    static let value = "zqxvaluezqx"
    static let secret = "zqxsecretzqx"
    static let uuid = "C0FFEE00-7E57-4A11-8B0D-0DDBA11CAFE5"

    /// The value of a valence, and of other real columns that aren't dates.
    static let number = "271828.182845"
  }

  /// Columns whose values determine how a row is converted.
  private static let kinds: Set = ["ZEVENTTYPE", "ZSTATUS", "ZQUANTITY", "ZGENDER", "ZSOURCETYPE"]

  private func makeStore(_ app: String, _ version: String, rows: Int = 60) throws {
    try FileSystem.removeIfPresent(path)
    _ = try HostileTests.makeStore(in: folder, app: app, version: version, rows: rows)
    try spoil(path, "UPDATE Z_METADATA SET Z_UUID = ?1", [.text(Word.uuid)])
    try mark(except: Self.kinds, "1")
  }

  /// Puts the words into all texts, blobs and numbers of rows for which a condition holds.
  private func mark(except columns: Set<String>, only: Set<String>? = nil, _ condition: String)
    throws
  {
    let json = """
      {"note":"\(Word.value)","password":"\(Word.secret)","more":{"accessToken":"\(Word.secret)"},
      """
    let connection = try Connection(path: path, mode: .readWrite)
    let tables = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'ZSD%'"
    ).compactMap { $0[0].string }
    for table in tables {
      for column in try connection.rows("PRAGMA table_info(\(table))") {
        guard let name = column[1].string, let type = column[2].string else { continue }
        guard !columns.contains(name), only?.contains(name) ?? true else { continue }
        let number = type == "FLOAT" ? Word.number : name
        try connection.execute(
          """
          UPDATE OR IGNORE \(table) SET \(name) = CASE
          WHEN typeof(\(name)) = 'real' THEN \(number)
          WHEN typeof(\(name)) = 'text' THEN ?1 || ' ' || \(name)
          WHEN typeof(\(name)) <> 'blob' OR length(\(name)) = 16 THEN \(name)
          WHEN substr(\(name), 1, 1) = x'7B' AND length(\(name)) > 2
          THEN CAST(?2 || substr(CAST(\(name) AS TEXT), 2) AS BLOB)
          ELSE CAST(?1 || \(name) AS BLOB) END
          WHERE \(condition)
          """, [.text(Word.value), .text(json)])
      }
    }
    try connection.walCheckpointTruncate()
  }

  // MARK: Looking for the words

  /// The forms of a word to search for: as it is, in hexadecimal, and in base64 at any offset.
  private static func forms(of word: String) -> [String] {
    let bytes = Array(word.utf8)
    let shifted = (0..<3).map { shift in
      // The first and last characters depend on the bytes beside the word.
      let text = base64Encoded([UInt8](repeating: 0, count: shift) + bytes)
      return String(text.dropFirst(4).prefix(10))
    }
    let digits = Hexadecimal.encode(bytes)
    return [word, digits, digits.uppercased()] + shifted
  }

  private static let values = forms(of: Word.value) + [Word.number]
  private static let secrets =
    forms(of: Word.secret)
    + [Word.uuid, Word.uuid.replacing("-", with: "")].flatMap { [$0, $0.lowercased()] }

  private func expect(_ text: String, without words: [String], _ label: String) {
    for word in words where text.contains(word) {
      let lines = text.split(separator: "\n").filter { $0.contains(word) }
      Issue.record("\(label) prints '\(word)': \(lines.first ?? "")")
    }
  }

  private static let forms = [[], ["--json"]]

  /// Runs reading commands, and checks that their output has no value.
  @discardableResult
  private func look(
    _ commands: [String], in forms: [[String]] = forms, showingValues: Bool = false
  ) -> [Int32] {
    commands.flatMap { words in
      forms.map { run(words.split(separator: " ").map(String.init) + $0, showingValues) }
    }
  }

  @discardableResult
  private func run(_ words: [String], _ isShowing: Bool = false) -> Int32 {
    let words = words.map { $0.hasPrefix("@") ? folder.path(String($0.dropFirst())) : $0 }
    let answer = HostileTests.run(words + (isShowing ? ["--show-values"] : []))
    let label = "'\(answer.words.joined(separator: " "))' (\(answer.status))"
    expect(answer.output + answer.error, without: Self.secrets, label)
    if !isShowing { expect(answer.output + answer.error, without: Self.values, label) }
    return answer.status
  }

  /// Checks receipts and plans, which users keep and pass on: they have no values either.
  private func expectNoneInFiles() throws {
    for (file, bytes) in try filesBelow(folder.path) {
      let name = FileSystem.name(of: file)
      guard name.hasPrefix("receipt.json") || name == "set-aside.jsonl" || name == "saved.plan"
      else {
        continue
      }
      expect(String(decoding: bytes, as: UTF8.self), without: Self.values + Self.secrets, name)
    }
  }

  private static let looks = [
    "status @default.store", "verify @default.store", "verify @default.store --receipt",
    "verify @default.store --deliverable", "plan @default.store --user-id x",
    "plan @default.store --rows deliverable", "plan @default.store --format html",
    "plan @default.store --format markdown", "plan @default.store --user-id x --out @saved.plan",
    "show @saved.plan", "show @saved.plan --format html",
    "explain @default.store SDOutboxEvent/1", "explain @default.store SDOutboxEvent/3",
    "explain @default.store SDOutboxEvent/999", "lint @default.store",
    "row @default.store SDOutboxEvent/1 SDOutboxEvent/3", "row @default.store SDOutboxEvent",
    "row @default.store SDOutboxEvent --where json_extract(payload,'$.x')=1",
    "row @default.store SDUserProfile --where name+1", "diagnose @default.store",
    "diagnose @default.store --app-version Lume:V5 --app-version Lume:V7",
    "diff @default.store @other.store", "diff @default.store @other.store --json-lines",
    "snapshot list @default.store --check", "quarantine list @default.store",
    "outbox stats @default.store", "outbox list @default.store", "outbox orphans @default.store",
    "outbox verify @default.store", "schema capture @default.store",
    "rollback @default.store --dry-run --keep-changes",
    "rollback @default.store --dry-run --discard-changes", "rollback @default.store --dry-run",
    "outbox retry @default.store --exhausted --dry-run",
    "outbox cleanup @default.store --before 2100-01-01 --dry-run",
    "outbox reset @default.store --user somebody --dry-run", "repair @default.store --dry-run",
  ]

  private static let showing = [
    "row @default.store SDOutboxEvent", "row @default.store SDMoodEntry --limit 100",
    "row @default.store SDUserProfile",
    "plan @default.store --user-id x", "plan @default.store --rows deliverable",
    "plan @default.store --format html", "plan @default.store --format markdown",
    "explain @default.store SDOutboxEvent/1", "explain @default.store SDOutboxEvent/3",
    "diff @default.store @other.store", "diff @default.store @other.store --json-lines",
    "outbox list @default.store", "outbox list @default.store --status failed",
  ]

  /// Runs every reading command on the store, and checks the files that it leaves.
  ///
  /// In `make test`, each look of a session is one of four: every second command, as text or in JSON.
  private func lookAround(_ look: Int) throws {
    func part(_ commands: [String]) -> [String] {
      isTorture
        ? commands
        : commands.enumerated().filter { $0.offset % 2 == look / 2 % 2 }.map(\.element)
    }
    let forms = isTorture ? Self.forms : [Self.forms[look % 2]]
    self.look(part(Self.looks), in: forms)
    self.look(part(Self.showing), in: forms, showingValues: true)
    try expectNoneInFiles()
  }

  // MARK: Sessions

  @Test func `no command prints a value of Lume's stores`() throws {
    let other = folder.path("other.store")
    try makeStore("Lume", "V6")
    try FileSystem.copy(path, to: other)
    try lookAround(1)
    // There are values to print.
    let shown = HostileTests.run(["plan", path, "--user-id", "x", "--show-values"])
    #expect(Self.values.contains { shown.output.contains($0) })
    #expect(run(["apply", "@default.store", "--rows", "deliverable"]) == 0)
    try lookAround(2)
    // What the app writes later.
    try mark(except: Self.kinds, "Z_PK % 3 = 1")
    try lookAround(3)
    run(["quarantine", "restore", "@default.store"])
    run(["outbox", "retry", "@default.store", "--exhausted", "--json"])
    run(["rollback", "@default.store", "--keep-changes"])
    run(["rollback", "@default.store", "--keep-changes", "--json"])
    run(["rollback", "@default.store", "--discard-changes"])
    try lookAround(4)
    run(["apply", "@default.store", "--user-id", "x", "--json", "--progress"])
    run(["apply", "@default.store", "--user-id", "x"])
    try lookAround(5)
    run(["rollback", "@default.store"])
    run(["snapshot", "prune", "@default.store", "--keep", "0", "--force", "--json"])
    try expectNoneInFiles()
  }

  @Test func `no command prints a value that it can't read`() throws {
    try makeStore("Lume", "V6")
    try FileSystem.copy(path, to: folder.path("other.store"))
    try mark(except: [], only: Self.kinds, "Z_PK % 2 = 1")
    try lookAround(1)
    run(["apply", "@default.store", "--rows", "deliverable"])
    try lookAround(2)
    run(["quarantine", "restore", "@default.store", "--rows", "documented"])
    run(["outbox", "cleanup", "@default.store", "--before", "2100-01-01"])
    run(["outbox", "reset", "@default.store", "--user", "somebody"])
    try lookAround(3)
    run(["rollback", "@default.store", "--keep-changes"])
    // A number, and bytes that aren't text, in a converted column.
    for value in [Value.integer(271_828_182_845), .real(271828.182845)] {
      try makeStore("Lume", "V6")
      try spoil(path, "UPDATE ZSDOUTBOXEVENT SET ZPAYLOAD = ?1 WHERE Z_PK = 3", [value])
      try lookAround(4)
      #expect(run(["apply", "@default.store", "--user-id", "x"]) == 4)
    }
  }

  @Test(arguments: ["V3", "V10"])
  func `no command prints a value of FitIQ's stores`(version: String) throws {
    try makeStore("FitIQ", version, rows: 40)
    try FileSystem.copy(path, to: folder.path("other.store"))
    try lookAround(1)
    try mark(except: [], only: Self.kinds, "Z_PK % 2 = 1")
    try lookAround(2)
    run(["apply", "@default.store", "--user-id", "x"])
    run(["apply", "@default.store", "--user-id", "x", "--accept-data-loss", "all", "--json"])
    try lookAround(3)
    try mark(except: Self.kinds, "Z_PK % 3 = 1")
    try lookAround(4)
    run(["rollback", "@default.store", "--keep-changes", "--json"])
    run(["apply", "@default.store", "--user-id", "x", "--accept-data-loss", "all"])
    try expectNoneInFiles()
  }

  /// Files that a run left beside a store hold values, and may be damaged.
  @Test func `no value is printed from files that contain values`() throws {
    try makeStore("Lume", "V6", rows: 150)
    #expect(run(["apply", "@default.store", "--rows", "deliverable"]) == 0)
    for (file, bytes) in try filesBelow(path + ".snapshots")
    where file.hasSuffix("quarantine.jsonl") {
      let text = String(decoding: bytes, as: UTF8.self)
      for (word, other) in [
        ("\"key\"", "\"\(Word.value)"), ("{\"text\":", "{\"integer\":"), ("\",", "\""),
      ] {
        let spoilt = text.split(separator: "\n").enumerated().map { place, line in
          place == 0 ? String(line) : String(line).replacing(word, with: other)
        }
        try overwrite(file, with: Array((spoilt.joined(separator: "\n") + "\n").utf8))
        look(["quarantine list @default.store", "verify @default.store --receipt"])
        run(["quarantine", "restore", "@default.store"])
      }
      try overwrite(file, with: bytes)
    }
    try mark(except: Self.kinds, "Z_PK % 3 = 1")
    run(["rollback", "@default.store", "--keep-changes"])
    for (file, bytes) in try filesBelow(folder.path) where file.contains("default.store.parked-") {
      for count in [bytes.count / 2, bytes.count - 3, bytes.count / 3] {
        try overwrite(file, with: Array(bytes.prefix(count)))
        look(["status @default.store", "plan @default.store --user-id x"])
        run(["apply", "@default.store", "--user-id", "x"])
        run(["rollback", "@default.store", "--discard-changes"])
      }
    }
    try expectNoneInFiles()
  }
}
