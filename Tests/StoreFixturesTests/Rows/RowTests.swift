import PropertyList
import SQLite
import StoreFixtures
import StoreFormat
import StoreModel
import TestSupport
import Testing

/// Checks the values in the rows of the apps' entities.
@Suite struct RowTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(arguments: BundledVersion.all)
  func `keys, entity numbers and highest keys agree`(version: BundledVersion) throws {
    let path = try version.fixture(in: directory)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let layout = StoreLayout(version.model)
    for table in layout.tables {
      let number = Int64(try #require(layout.numbering.number(of: table.rootEntity)))
      let row = try #require(
        try connection.rows(
          """
          SELECT max(Z_PK), min(Z_ENT), max(Z_ENT), min(Z_OPT), max(Z_OPT),
            (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = ?) FROM \(table.name)
          """, [.text(table.rootEntity)]
        ).first)
      #expect(row[1] == .integer(number) && row[2] == .integer(number))
      #expect(try #require(row[5].int64) >= #require(row[0].int64))
      #expect(try #require(row[3].int64) >= 1 && #require(row[4].int64) <= 4)
    }
    let outbox = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE name = 'ZSDOUTBOXEVENT'")
    if !outbox.isEmpty {
      #expect(
        try #require(connection.value("SELECT max(Z_PK) - count(*) FROM ZSDOUTBOXEVENT")?.int64) > 0
      )
    }
  }

  @Test(arguments: BundledVersion.all)
  func `mandatory attributes have values, but for payloads that were lost`(
    version: BundledVersion
  ) throws {
    let path = try version.fixture(in: directory, rows: 300)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    for table in StoreLayout(version.model).tables {
      for column in table.columns {
        guard case .attribute(let entity, let names, _) = column.content,
          case .attribute(let attribute) = version.model[entity]?[names[0]]
        else { continue }
        let empty = try connection.value(
          "SELECT count(*) FROM \(table.name) WHERE \(column.name) IS NULL")
        if !attribute.isOptional && column.name != "ZPAYLOAD" {
          #expect(empty == 0, "\(table.name).\(column.name)")
        }
      }
    }
  }

  @Test(arguments: BundledVersion.all)
  func `history refers to existing rows, and to deleted rows that are gone`(
    version: BundledVersion
  ) throws {
    let path = try version.fixture(in: directory)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let layout = StoreLayout(version.model)
    for table in layout.tables {
      let number = Int64(try #require(layout.numbering.number(of: table.rootEntity)))
      let wrong = try connection.value(
        """
        SELECT count(*) FROM ACHANGE WHERE ZENTITY = ?
          AND (ZCHANGETYPE = 2) = (ZENTITYPK IN (SELECT Z_PK FROM \(table.name)))
        """, [.integer(number)])
      #expect(wrong == 0, "\(table.name)")
      let stored = version.model.properties(of: table.rootEntity).count
      let masks = try connection.rows(
        "SELECT DISTINCT length(ZCOLUMNS) FROM ACHANGE WHERE ZENTITY = ? AND ZCHANGETYPE = 1",
        [.integer(number)])
      #expect(masks.allSatisfy { $0 == [.integer(Int64((stored + 7) / 8))] }, "\(table.name)")
    }
    let lost = try connection.value(
      """
      SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)
        OR (ZCHANGETYPE = 1) != (ZCOLUMNS IS NOT NULL)
      """)
    #expect(lost == 0)
    let highest = try connection.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000").map {
      $0[0]
    }
    let counts = try ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].map {
      try connection.value("SELECT max(Z_PK) FROM \($0)") ?? .null
    }
    #expect(highest == counts)
  }

  @Test func `enums have raw values`() throws {
    let path = try BundledVersion.named("FitIQ", "V7").fixture(in: directory, rows: 1_000)
    let types = try column("SELECT DISTINCT ZTYPE FROM ZSDPHYSICALATTRIBUTE ORDER BY 1", of: path)
    #expect(types == ["bmi", "bodyFatPercentage", "bodyMass", "height"])
  }

  @Test func `user columns and links agree mostly, fill each other's gaps, and sometimes differ`()
    throws
  {
    let path = try BundledVersion.named("FitIQ", "V8")
      .fixture(in: directory, rows: 2_000, userCount: 3)
    let connection = try Connection(path: path, mode: .readOnlyUnshared)
    let count = { (condition: String) throws in
      try #require(
        connection.value(
          """
          SELECT count(*) FROM ZSDPROGRESSENTRY e LEFT JOIN ZSDUSERPROFILE p ON p.Z_PK = e.ZUSERPROFILE
          WHERE \(condition)
          """)?.int64)
    }
    let same = "hex(p.ZID) = replace(e.ZUSERID, '-', '')"
    #expect(try count(same) > 700)
    #expect(try count("p.Z_PK IS NOT NULL AND e.ZUSERID != '' AND NOT \(same)") > 10)
    #expect(try count("p.Z_PK IS NULL AND e.ZUSERID != ''") > 10)
    #expect(try count("p.Z_PK IS NOT NULL AND e.ZUSERID = ''") > 10)
    #expect(try count("p.Z_PK IS NULL AND e.ZUSERID = ''") > 0)
  }

  @Test func `lists of words are archived arrays`() throws {
    let path = try BundledVersion.named("Lume", "V6").fixture(in: directory, rows: 400)
    let found = try column("SELECT DISTINCT ZLABELS FROM ZSDMOODENTRY", of: path)
    #expect(found.count > 10)
    for value in found {
      let list = try PropertyList(binary: try #require(value.bytes))
      guard case .array(let words) = try KeyedArchive(list).modelValue else {
        Issue.record("the archive holds an array")
        continue
      }
      for word in words {
        if case .string = word { continue }
        Issue.record("the array holds texts")
      }
    }
  }
}
