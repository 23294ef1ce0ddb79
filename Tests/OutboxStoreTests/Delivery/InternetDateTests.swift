import Foundation
@testable import OutboxStore
import TestSupport
import Testing

@Suite struct InternetDateTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (0.25, "1970-01-01T00:00:00.250Z"),
      (0.0004, "1970-01-01T00:00:00Z"), (0.9994, "1970-01-01T00:00:00.999Z"),
      (0.9996, "1970-01-01T00:00:01Z"), (59.9999, "1970-01-01T00:01:00Z"),
      (-0.25, "1969-12-31T23:59:59.750Z"), (-0.0004, "1970-01-01T00:00:00Z"),
      (-0.9996, "1969-12-31T23:59:59Z"), (-1.001, "1969-12-31T23:59:58.999Z"),
      (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_167_219_200.5, nil),
      (253_402_300_799.5, "9999-12-31T23:59:59.500Z"), (253_402_300_800, nil),
      (.nan, nil), (.infinity, nil),
    ] as [(TimeInterval, String?)])
  func `a date is rounded to milliseconds, and written in the years 0 to 9999`(
    seconds: TimeInterval, text: String?
  ) {
    #expect(Date(timeIntervalSince1970: seconds).internetText == text)
  }

  @Test func `texts agree with Foundation's`() throws {
    let seed = printedSeed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      // Foundation rounds down, and uses the Julian calendar before 1582.
      let second = Int64.random(in: -12_000_000_000..<253_000_000_000, using: &random)
      let thousandths = Int64.random(in: 0..<1_000, using: &random)
      let whole = Date(timeIntervalSince1970: Double(second)).formatted(.iso8601)
      let fraction = thousandths == 0 ? "" : ".\(String(1_000 + thousandths).dropFirst())"
      let date = Date(timeIntervalSince1970: Double(second) + Double(thousandths) / 1_000)
      let text = try #require(date.internetText)
      #expect(text == "\(whole.dropLast())\(fraction)Z", "seed \(seed)")
      let read = try #require(Date(internetText: text))
      #expect(abs(read.timeIntervalSince(date)) < 0.001, "seed \(seed)")
    }
  }
}
