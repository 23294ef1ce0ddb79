import Testing

@testable import SQLite

/// An expression is checked by SQLite itself, and then means what it says.
@Suite struct ScalarExpressionTests {
  private func expression(_ text: String) throws -> ScalarExpression {
    try ScalarExpression(text, over: ["feet", "a b"], scopes: ["owner": ["name", "feet"]])
  }

  @Test(arguments: [
    ("1 + feet", "8"), ("round(feet * 0.3048, 2)", "2.13"), ("\"a b\" || owner.name", "xy"),
    ("FEET", "7"), ("owner.feet + feet", "107"), ("feet -- a comment", "7"),
    ("CASE WHEN feet > 5 THEN 'far' ELSE 'near' END", "far"), ("'--' /* no value */", "--"),
    ("json_extract('{\"k\":3}', '$.k') + max(feet, 1)", "10"), ("nullif(feet, 7) IS NULL", "1"),
  ])
  func `an expression over the row and a linked row has its value`(
    text: String, value: String
  ) throws {
    let connection = try Connection.memory()
    try connection.execute(
      """
      CREATE TABLE t (k INTEGER, f, s, link);
      CREATE TABLE u (k INTEGER, n, f);
      INSERT INTO t VALUES (1, 7, 'x', 5);
      INSERT INTO u VALUES (5, 'y', 100);
      """)
    let columns = ["feet": "f", "a b": "s"]
    let expression = try expression(text)
    let isLinked = expression.names.contains { $0.scope != nil }
    let sql = expression.sql(
      scopes: isLinked ? [.init(name: "owner", source: "FROM u WHERE u.k = t.link")] : []
    ) { name in
      name.scope == nil ? columns[name.value] ?? "" : name.value == "name" ? "n" : "f"
    }
    #expect(try connection.value("SELECT CAST(\(sql) AS TEXT) FROM t") == .text(value))
  }

  @Test func `values of a row that isn't there are NULL`() throws {
    let connection = try Connection.memory()
    try connection.execute("CREATE TABLE t (link); INSERT INTO t VALUES (NULL)")
    let sql = try expression("coalesce(owner.name, 'nobody')").sql(
      scopes: [.init(name: "owner", source: "FROM t AS o WHERE o.link = t.link")]
    ) { _ in "'somebody'" }
    #expect(try connection.value("SELECT \(sql) FROM t") == .text("nobody"))
  }

  @Test func `the values that it reads are known`() throws {
    let names = try expression("feet + Feet + owner.feet").names
    #expect(names == [.init(value: "feet"), .init(scope: "owner", value: "feet")])
  }

  @Test(arguments: [
    "", "feet +", "feet, feet", "feet; DROP TABLE x", "(SELECT 1)", "EXISTS (SELECT feet)",
    "1) FROM x WHERE (1", "1) UNION SELECT (2", "1) FROM (SELECT 1", "count(*)", "sum(feet)",
    "random()", "randomblob(8)", "date()", "strftime('%s', 'now')", "load_extension('x')",
    "?1", ":feet", "rowid", "sqlite_schema.sql", "owner.age", "inches", "\"feet", "/* open",
    "last_insert_rowid()", "sqlite_version()", "feet OVER ()", "row_number() OVER ()",
    "feet IN (SELECT 1)", "RAISE(ABORT, 'x')", "a\0b", "feet COLLATE nothing",
    "pragma_table_info('x')", "WITH x AS (SELECT 1) SELECT 1", "new_uuid('a')",
    "max(feet)", "feet < min(feet)", "max(owner.feet)",
  ])
  func `what isn't an expression over the row is refused`(text: String) {
    #expect(throws: ScalarExpression.Mistake.self) { _ = try expression(text) }
  }

  @Test(arguments: ["json_extract('{}', v)", "json_set('{}', v, 1)", "json_extract(v, '$')"])
  func `a function that fails doesn't say for which value`(sql: String) throws {
    let connection = try Connection.memory()
    try connection.execute("CREATE TABLE t (v); INSERT INTO t VALUES ('Anna')")
    let error = #expect(throws: SQLiteError.self) {
      _ = try connection.value("SELECT \(sql) FROM t")
    }
    #expect(error?.description.contains("Anna") == false)
  }

  @Test func `a message is cut at the value, not at an apostrophe`() throws {
    func fails(_ message: String) -> ScalarFunction {
      ScalarFunction("fails", arguments: 1...1) { _ throws(ScalarFunction.Failure) in
        throw ScalarFunction.Failure(message)
      }
    }
    for (message, shown) in [
      ("the text isn't a date, and can't be one", "the text isn't a date, and can't be one"),
      ("the text isn't a date: 'Anna'", "the text isn't a date: a value"),
      ("no date in 'isn't Anna'", "no date in a value"), ("near \"n't a\"", "near a value"),
    ] {
      let connection = try Connection.memory()
      try connection.define([fails(message)])
      let error = #expect(throws: SQLiteError.self) {
        _ = try connection.value("SELECT fails(1)")
      }
      #expect(error?.message == shown)
    }
  }

  @Test(arguments: [
    ("feet = 'a", #"unrecognized token: "'a""#), (#"feet = "a"#, #"unrecognized token: ""a""#),
    ("feet AND (", "incomplete input"), ("1 +", "incomplete input"),
    ("feet)", #"near ")": syntax error"#), ("1 from x", #"near "from": syntax error"#),
  ])
  func `the reason quotes the text, not the query around it`(text: String, reason: String) {
    let mistake = #expect(throws: ScalarExpression.Mistake.self) { _ = try expression(text) }
    #expect(mistake?.reason == reason)
  }

  @Test func `a mistake has the place where SQLite sees it`() {
    let mistake = #expect(throws: ScalarExpression.Mistake.self) {
      _ = try expression("1 + inches")
    }
    #expect(mistake?.offset == 4)
    #expect(mistake?.reason == "no such column: inches")
  }
}
