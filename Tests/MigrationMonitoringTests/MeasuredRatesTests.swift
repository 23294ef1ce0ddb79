import JSONText
import TestSupport
import Testing

@testable import MigrationMonitoring

@Suite struct MeasuredRatesTests {
  @Test func `a rate is that of the bytes and times together`() throws {
    var rates = MeasuredRates()
    rates.add("Lume", from: "V6", to: "V7", bytes: 1_000, milliseconds: 10)
    rates.add("Lume", from: "V6", to: "V7", bytes: 3_000, milliseconds: 50)
    rates.add("Lume", from: "V5", to: "V7", bytes: 1, milliseconds: 0)
    let rate = try #require(rates.rate("Lume", from: "V6", to: "V7"))
    #expect(rate.runs == 2 && rate.expected(bytes: 8_000) == 120)
    #expect(rates.rate("Lume", from: "V5", to: "V7") == nil)
    #expect(rate.expected(bytes: .max) > 0 && rate.expected(bytes: -1) == 0)
    let read = try MeasuredRates(parsing: Array(rates.text.utf8))
    #expect(read == rates)
  }

  @Test func `later runs count more`() throws {
    var rates = MeasuredRates()
    for _ in 0..<100 { rates.add("A", from: "1", to: "2", bytes: 100, milliseconds: 100) }
    for _ in 0..<100 { rates.add("A", from: "1", to: "2", bytes: 100, milliseconds: 200) }
    let rate = try #require(rates.rate("A", from: "1", to: "2"))
    #expect((199...200).contains(rate.expected(bytes: 100)) && rate.runs <= 16)
    // Runs that can't be true don't count.
    rates.add("A", from: "1", to: "2", bytes: .max, milliseconds: 1)
    rates.add("A", from: "1", to: "2", bytes: 1, milliseconds: .max)
    #expect(rates.rate("A", from: "1", to: "2") == rate)
    #expect(try MeasuredRates(parsing: Array(rates.text.utf8)) == rates)
  }

  @Test(arguments: [
    "", "[]", #"{"format_version": 2, "rates": []}"#, #"{"format_version": 1}"#,
    #"{"format_version": 1, "rates": [], "more": 1}"#,
    #"{"format_version": 1, "rates": [{"app": "a", "from": "b", "to": "c", "runs": 1, "bytes": 0, "duration_ms": 1}]}"#,
    #"{"format_version": 1, "rates": [{"app": "a", "from": "b", "to": "c", "runs": 17, "bytes": 9, "duration_ms": 1}]}"#,
    #"{"format_version": 1, "rates": [{"app": "a", "from": "b", "to": "c", "runs": 1, "bytes": 9223372036854775807, "duration_ms": 1}]}"#,
    #"{"format_version": 1, "rates": [{"app": "a", "from": "b", "to": "c", "runs": 1, "bytes": 1, "duration_ms": 9223372036854775807}]}"#,
    #"{"format_version": 1, "rates": [{"app": "a", "from": "b", "to": "c", "runs": 1, "bytes": 1, "duration_ms": 1}, {"app": "a", "from": "b", "to": "c", "runs": 1, "bytes": 1, "duration_ms": 1}]}"#,
  ])
  func `a malformed file is refused`(text: String) {
    #expect(throws: JSONError.self) { try MeasuredRates(parsing: Array(text.utf8)) }
  }
}
