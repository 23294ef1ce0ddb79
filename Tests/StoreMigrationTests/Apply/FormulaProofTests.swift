import Migrations
import Platform
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import StoreProof
import TestSupport
import Testing

@testable import RowRewriting
@testable import StoreMigration

/// The proof of computed values, when the program that made them is at fault.
@Suite struct FormulaProofTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("default.store")
  }

  private static func schema(
    _ version: String, _ attributes: String, workout: String = ""
  ) throws -> SchemaFile {
    try SchemaFile(
      """
      { "format_version": 1, "app": "gym", "version": "\(version)", "identifiers": ["\(version)"], "entities": [
        { "name": "Person", "attributes": [
            { "name": "name", "type": "String" }, { "name": "title", "type": "String" }],
          "relationships": [
            { "name": "owned", "to": "Workout", "max": 0, "inverse": "owner" },
            { "name": "coached", "to": "Workout", "max": 0, "inverse": "coach" }] },
        { "name": "Activity", "attributes": [\(attributes)] },
        { "name": "Workout", "parent": "Activity", "attributes": [\(workout)], "relationships": [
            { "name": "owner", "to": "Person", "inverse": "owned", "optional": true },
            { "name": "coach", "to": "Person", "inverse": "coached", "optional": true }] },
        { "name": "Hike", "parent": "Activity", "attributes": [
            { "name": "height", "type": "Integer 64" }, { "name": "pause", "type": "Double", "optional": true }] } ] }
      """)
  }

  private static let kept =
    #"{ "name": "feet", "type": "Integer 64" }, { "name": "steps", "type": "Integer 64" }"#

  private static func models() throws -> (SchemaFile, SchemaFile) {
    let new =
      #", { "name": "label", "type": "String", "optional": true }, { "name": "metres", "type": "Double", "optional": true }, { "name": "yards", "type": "Double", "optional": true }, { "name": "whole", "type": "Integer 64", "optional": true }, { "name": "place", "type": "Integer 32", "optional": true }"#
    let who =
      #"{ "name": "who", "type": "String", "optional": true }, { "name": "rank", "type": "Integer 64", "optional": true }"#
    return (try schema("V1", kept), try schema("V2", kept + new, workout: who))
  }

  private static let steps = #"""
    { "compute": "Activity.metres", "sql": "feet * 0.3048" },
    { "compute": "Activity.yards", "sql": "CASE WHEN steps > 500 THEN feet / 3 ELSE metres + 1 END" },
    { "compute": "Activity.label", "sql": "feet || ' by ' || steps || ' -- of what' -- a comment" },
    { "backfill": "Hike.pause", "where": "zero", "from": "height", "with": "real" },
    { "compute": "Activity.whole", "sql": "feet * 2.0" },
    { "compute": "Workout.who", "sql": "coalesce(owner.name, '-') || '/' || coalesce(coach.title, '+')" },
    { "sequence": "Activity.place", "by": ["-steps", "feet"], "from": 3, "within": "feet % 5" },
    { "sequence": "Workout.rank", "by": ["steps"], "within": "owner" }
    """#

  /// Creates a store, and returns it with the program for it.
  private func program(
    _ connection: borrowing Connection, _ steps: String = steps
  ) throws -> (StoreProgram, StoreDescription, ModelVersion) {
    let (old, new) = try Self.models()
    let text =
      #"{ "format_version": 1, "app": "gym", "from": "V1", "to": "V2", "steps": [\#(steps)] }"#
    let lineage = try Lineage(identityOf: old.model).applying(
      Migration(parsing: Array(text.utf8), file: nil), source: old.model, target: new.model)
    let store = try StoreDescription(reading: connection)
    let program = try ProgramBuilder(
      lineage: lineage, source: old.model, target: new.model, store: store, options: [:]
    ).program()
    return (program, store, ModelVersion(new))
  }

  private func makeStore() throws {
    try createFixture(
      app: "gym", version: "V1", model: Self.models().0.model, at: path,
      options: FixtureOptions(rows: 90))
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      "UPDATE ZACTIVITY SET ZFEET = 7 * Z_PK + 2, ZSTEPS = 1000 - 31 * Z_PK % 997")
    try connection.execute("UPDATE ZPERSON SET ZNAME = 'n' || Z_PK, ZTITLE = 't' || Z_PK")
    try connection.execute("UPDATE ZACTIVITY SET ZOWNER = 1, ZCOACH = 2 WHERE Z_ENT = 3")
  }

  /// Writes the new store by a program, and returns what the proof says.
  private func findings(
    _ program: StoreProgram, _ store: StoreDescription, _ target: ModelVersion,
    _ connection: borrowing Connection, tampering sql: String = ""
  ) throws -> [String] {
    let new = folder.path("new-\(program.hashValue)-\(program.claims.count)-\(sql.count).store")
    do { _ = try FileDescriptor(creating: new) }
    try connection.attach(path: new, as: NewStore.schema, mode: .readWriteAlone)
    _ = try NewStore(program: program, store: store, target: target).write(connection)
    if !sql.isEmpty { try connection.execute(sql) }
    let ledger = Ledger(
      program: program, store: store, sourceSchema: "main", targetSchema: { _ in NewStore.schema })
    let findings = try ledger.result(connection).findings.map(\.message)
    try connection.detach(NewStore.schema)
    return findings
  }

  /// A fault that the code could have that turns a migration into a program.
  enum Fault: CaseIterable {
    case exchangedCells, wrongColumn, wrongLink, wrongRows, wrongRow, copied, constant, nearlyRight
  }

  @Test(arguments: Fault.allCases)
  func `the proof finds a fault of the program that both wrote and reads the rows`(
    fault: Fault
  ) throws {
    try makeStore()
    let connection = try Connection(path: path, mode: .readWrite)
    let (program, store, target) = try program(connection)
    #expect(
      program.claims.map(\.path) == ["label", "metres", "place", "whole", "yards", "rank", "who"])
    #expect(try findings(program, store, target, connection) == [])
    let spoiled = try program.with(fault)
    let found = try findings(spoiled, store, target, connection)
    #expect(found.contains { $0.contains("differs from the expected value") }, "\(found)")
    // Without the claims, the program's own expressions are read again, and agree with themselves.
    guard fault != .copied else { return }
    let blind = try findings(spoiled.with(claims: []), store, target, connection)
    #expect(blind == [])
  }

  /// A fault of the statement that numbers the rows.
  enum NumberingFault: String, CaseIterable {
    case otherOrder, noPartition, otherLink, otherStart, otherRows

    /// What the statement has, and what it has with the fault.
    var change: (text: String, other: String) {
      switch self {
      case .otherOrder: ("-steps", "steps")
      case .noPartition: ("% 5", "% 1")
      case .otherLink: ("PARTITION BY \"ZOWNER\"", "PARTITION BY \"ZCOACH\"")
      case .otherStart: ("3 - 1", "2 - 1")
      case .otherRows: ("Z_ENT IN (1, ", "Z_ENT IN (0, ")
      }
    }
  }

  @Test(arguments: NumberingFault.allCases)
  func `the proof finds a fault of the statement that numbers rows`(
    fault: NumberingFault
  ) throws {
    try makeStore()
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute("UPDATE ZACTIVITY SET ZOWNER = 1 + Z_PK % 7 WHERE Z_ENT = 3")
    let (program, store, target) = try program(connection)
    #expect(try findings(program, store, target, connection) == [])
    var changes = 0
    let spoiled = program.rewriting("ZACTIVITY") { rows in
      rows.numbering { statement in
        let other = statement.replacing(fault.change.text, with: fault.change.other)
        if other != statement { changes += 1 }
        return other
      }
    }
    #expect(changes > 0)
    let found = try findings(spoiled, store, target, connection)
    #expect(
      found.contains { $0.contains("'sequence ") && $0.contains("doesn't do what it says for") },
      "\(found)")
    #expect(try findings(spoiled.with(claims: []), store, target, connection) == [])
  }

  @Test func `a tampered value is found in every computed column`() throws {
    try makeStore()
    let connection = try Connection(path: path, mode: .readWrite)
    let (program, store, target) = try program(connection)
    for (column, value) in [
      ("ZMETRES", "ZMETRES + 1e-9"), ("ZYARDS", "NULL"), ("ZLABEL", "ZLABEL || ' '"),
      ("ZWHOLE", "ZWHOLE + 0.5"), ("ZWHO", "'n1/t1'"), ("ZPLACE", "ZPLACE + 1"),
    ] {
      let found = try findings(
        program, store, target, connection,
        tampering: "UPDATE new.ZACTIVITY SET \(column) = \(value) WHERE Z_PK = 4")
      #expect(found.first == "Activity/4: '\(column)' differs from the expected value")
      #expect(found.count == (column == "ZPLACE" ? 2 : 1))
    }
  }
}

extension StoreProgram {
  fileprivate func with(claims: [FormulaClaim]) -> StoreProgram {
    StoreProgram(
      sourceLayout: sourceLayout, targetLayout: targetLayout, actions: actions,
      entityNumbers: entityNumbers, droppedEntities: droppedEntities,
      changedEntities: changedEntities, lostLinks: lostLinks, removals: removals,
      relinked: relinked, splits: splits, inlines: inlines, claims: claims,
      droppedTables: droppedTables, rows: rows)
  }

  fileprivate func with(_ fault: FormulaProofTests.Fault) throws -> StoreProgram {
    try rewriting("ZACTIVITY") { try $0.with(fault) }
  }

  fileprivate func rewriting(
    _ table: String, _ change: (RowProgram) throws -> RowProgram
  ) rethrows -> StoreProgram {
    let actions = try actions.map { action in
      guard case .rewrite(let rows) = action, rows.table.name == table else { return action }
      return .rewrite(try change(rows))
    }
    return StoreProgram(
      sourceLayout: sourceLayout, targetLayout: targetLayout, actions: actions,
      entityNumbers: entityNumbers, droppedEntities: droppedEntities,
      changedEntities: changedEntities, lostLinks: lostLinks, removals: removals,
      relinked: relinked, splits: splits, inlines: inlines, claims: claims,
      droppedTables: droppedTables, rows: self.rows)
  }
}

extension RowProgram {
  fileprivate func with(_ fault: FormulaProofTests.Fault) throws -> RowProgram {
    var (columns, cells) = (sourceColumns, cells)
    func place(_ name: String) throws -> Int {
      try #require(table.columns.firstIndex { $0.name == name })
    }
    let (metres, yards) = (try place("ZMETRES"), try place("ZYARDS"))
    func replace(
      _ text: String, by other: String, in numbers: Set<Int64>? = nil, at target: Int? = nil
    ) throws {
      guard case .column(let read) = cells[target ?? metres],
        case .computed(let column) = columns[read]
      else {
        throw Fault.noFormula
      }
      let sql = column.sql(schema: "main")
      #expect(sql.contains(text))
      columns[read] = .computed(
        ComputedColumn(
          sql.replacing(text, with: other), type: column.type, isOptional: true, purpose: .value,
          entityNumbers: numbers ?? column.entityNumbers))
    }
    switch fault {
    case .exchangedCells: cells.swapAt(metres, yards)
    case .wrongColumn: try replace("\"ZFEET\"", by: "\"ZSTEPS\"")
    case .wrongLink: try replace("\"ZOWNER\"", by: "\"ZCOACH\"", at: place("ZWHO"))
    case .wrongRows: try replace("ZFEET", by: "ZFEET", in: [4])
    case .wrongRow:
      try replace(
        "\"ZFEET\"", by: "(SELECT ZFEET FROM ZACTIVITY AS o WHERE o.Z_PK > ZACTIVITY.Z_PK LIMIT 1)")
    case .copied:
      cells[metres] = .column(try #require(columns.firstIndex(of: .named("ZSTEPS"))))
    case .constant: cells[metres] = .constant(.real(0))
    case .nearlyRight: try replace("0.3048", by: "0.30480000000000007")
    }
    return with(columns, cells)
  }

  /// Returns the program with other statements that number rows.
  fileprivate func numbering(_ change: (String) -> String) -> RowProgram {
    let columns = sourceColumns.map { column -> SourceColumn in
      guard case .derived(let derived) = column else { return column }
      return .derived(
        DerivedColumn(
          sql: derived.sql, preparation: derived.preparation.map(change),
          replaced: derived.replaced, removedKeys: derived.removedKeys, rules: derived.rules,
          formulas: derived.formulas))
    }
    return with(columns, cells)
  }

  private func with(_ columns: [SourceColumn], _ cells: [Cell]) -> RowProgram {
    RowProgram(
      sourceEntity: sourceEntity, sourceTable: sourceTable, sourceColumns: columns,
      sourceProperties: sourceProperties, table: table, cells: cells, conversions: conversions,
      entityNumbers: entityNumbers, linkedNumbers: linkedNumbers,
      carriesAllEntities: carriesAllEntities, removals: removals, drops: drops)
  }

  private enum Fault: Error {
    case noFormula
  }
}
