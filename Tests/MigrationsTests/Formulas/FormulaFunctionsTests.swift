import JSONText
import Migrations
import SQLite
import TestSupport
import Testing

/// The functions of our own, as a query calls them.
@Suite struct FormulaFunctionsTests {
  private func value(_ sql: String, _ arguments: Value...) throws -> Value? {
    let connection = try Connection.memory()
    try connection.define(FormulaFunctions.all)
    return try connection.rows("SELECT \(sql)", arguments).first?.first
  }

  @Test(arguments: [
    ("date_from_text('2001-01-01T00:00:00Z')", Value.real(0)),
    ("date_from_text('2000-12-31T23:59:59.75Z')", .real(-0.25)),
    ("date_from_text('2001-01-01T02:00:00+02:00')", .real(0)),
    ("date_from_text('2001-01-02', 'yyyy-MM-dd')", .real(86_400)),
    ("date_from_text('2.1.2001 um 0:05', 'd.M.yyyy ''um'' H:mm')", .real(86_700)),
    ("date_from_text('2001-02-29', 'yyyy-MM-dd')", .null),
    ("date_from_text('2001-1-02', 'yyyy-MM-dd')", .null),
    ("date_from_text('2001-01-02 ', 'yyyy-MM-dd')", .null), ("date_from_text(1)", .null),
    ("text_from_date(0)", "2001-01-01T00:00:00Z"),
    ("text_from_date(-0.25)", "2000-12-31T23:59:59.75Z"),
    ("text_from_date(1e-5)", "2001-01-01T00:00:00.00001Z"),
    ("text_from_date(86399.9996, 'yyyyMMdd HHmmss.SSS')", "20010101 235959.999"),
    ("text_from_date(9e15)", .null), ("text_from_date('x')", .null),
    ("date_from_unix(978307200)", 0), ("date_from_unix(978307200.5)", 0.5),
    ("unix_from_date(0)", 978_307_200), ("unix_from_date('0')", .null),
    ("date_from_unix(-9223372036854775808)", .null),
    ("date_from_unix(-9223372035876468608)", .integer(.min)),
    ("unix_from_date(9223372036854775807)", .null),
    ("unix_from_date(9223372035876468607)", .integer(.max)),
    (
      "hex(uuid_from_text('83eb81e1-76c3-45d4-95b7-d5ce7985cc96'))",
      "83EB81E176C345D495B7D5CE7985CC96"
    ),
    ("uuid_from_text('83eb81e1')", .null),
    ("text_from_uuid(x'83EB81E176C345D495B7D5CE7985CC96')", "83EB81E1-76C3-45D4-95B7-D5CE7985CC96"),
    ("text_from_uuid(x'83')", .null), ("base64_from_data(x'0102')", "AQI="),
    ("data_from_base64('AQI=')", .blob([1, 2])), ("data_from_base64('AQI')", .null),
    ("text_from_utf8(x'C3A9')", "é"), ("text_from_utf8(x'FF')", .null),
    ("utf8_from_text('é')", .blob([0xC3, 0xA9])), ("utf8_from_text(1)", .null),
    ("integer_from_text('-12')", -12), ("integer_from_text('1.0')", .null),
    ("integer_from_text('9223372036854775808')", .null), ("integer_from_text(' 1')", .null),
    ("number_from_text('1.5e3')", 1_500.0), ("number_from_text('12')", 12),
    ("number_from_text('.5')", .null), ("number_from_text('1e999')", .null),
    ("number_from_text('nan')", .null), ("number_from_text('0x10')", .null),
    ("text_from_number(0.1)", "0.1"), ("text_from_number(5.0)", "5"),
    ("text_from_number(-0.0)", "-0.0"), ("text_from_number('5')", .null),
  ])
  func `a function has its result`(call: String, result: Value) throws {
    #expect(try value(call) == result)
  }

  @Test func `a text of a date is SQLite's own, and every date and number comes back`() throws {
    var random = SeededGenerator(printing: #function)
    for _ in 0..<300 {
      let whole = Double(Int64.random(in: -63_113_904_000..<252_423_993_600, using: &random))
      #expect(
        try value("text_from_date(?1)", .real(whole))
          == value("strftime('%Y-%m-%dT%H:%M:%SZ', ?1 + 978307200, 'unixepoch')", .real(whole)))
      let date = Double.random(in: -63_113_904_000..<252_423_993_600, using: &random)
      let near = Double.random(in: -2...2, using: &random)
      for date in [date, near, date / 1e3, near / 1e9] {
        let back = try value("date_from_text(text_from_date(?1))", .real(date))
        #expect(back == .real(date), "\(date)")
      }
      let number = Double(bitPattern: random.next())
      if number.isFinite {
        let back = try value("number_from_text(text_from_number(?1)) + 0.0", .real(number))
        #expect(back == .real(number), "\(number)")
      }
    }
  }

  @Test func `a format that isn't one fails`() throws {
    for format in ["", "MM-dd", "yyyy-MMM", "yyyy 'open", "yy"] {
      #expect(throws: SQLiteError.self) { _ = try value("text_from_date(0, ?1)", .text(format)) }
    }
  }
}
