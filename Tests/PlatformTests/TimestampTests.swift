import Platform
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z", "19700101T000000Z"),
      (1_795_226_280, "2026-11-21T01:58:00Z", "20261121T015800Z"),
      (978_307_200, "2001-01-01T00:00:00Z", "20010101T000000Z"),
      (951_782_399, "2000-02-28T23:59:59Z", "20000228T235959Z"),
      (951_782_400, "2000-02-29T00:00:00Z", "20000229T000000Z"),
      (-1, "1969-12-31T23:59:59Z", "19691231T235959Z"),
      (-62_167_219_200, "0000-01-01T00:00:00Z", "00000101T000000Z"),
      (-62_167_219_201, "-0001-12-31T23:59:59Z", "00011231T235959Z"),
      (253_402_300_800, "10000-01-01T00:00:00Z", "100000101T000000Z"),
    ] as [(Int64, String, String)])
  func `a moment is written in both forms`(seconds: Int64, text: String, compact: String) {
    let moment = Timestamp(seconds: seconds)
    #expect(moment.text == text)
    #expect(moment.compactText == compact)
  }

  @Test func `dates agree with the C library`() {
    var random = SeededGenerator(printing: "dates")
    for _ in 0..<5000 {
      // The years 0 to 9999.
      let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &random)
      var (time, parts) = (time_t(seconds), tm())
      gmtime_r(&time, &parts)
      let date = Timestamp(seconds: seconds).calendar
      #expect(
        [date.year, date.month, date.day, date.hour, date.minute, date.second]
          == [
            Int64(parts.tm_year) + 1900, Int64(parts.tm_mon) + 1, Int64(parts.tm_mday),
            Int64(parts.tm_hour), Int64(parts.tm_min), Int64(parts.tm_sec),
          ])
    }
  }

  @Test func `texts agree with the C library's`() {
    var random = SeededGenerator(printing: "texts of dates")
    for _ in 0..<5000 {
      // The years 1000 to 9999: the C library doesn't write zeros before a year.
      let seconds = Int64.random(in: -30_610_224_000...253_402_300_799, using: &random)
      let nanoseconds = Int32.random(in: 0..<1_000_000_000, using: &random)
      let count = Int.random(in: 1...9, using: &random)
      var (time, parts) = (time_t(seconds), tm())
      gmtime_r(&time, &parts)
      var buffer: [CChar] = Array(repeating: 0, count: 64)
      strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
      let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8($0) }, as: UTF8.self)
      let nine = String(1_000_000_000 + Int64(nanoseconds)).dropFirst()
      let moment = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
      #expect(moment.text == text + "Z")
      #expect(moment.text(fractionDigits: count) == "\(text).\(nine.prefix(count))Z")
    }
  }

  @Test func `a moment is read as it is written, at any offset`() {
    var random = SeededGenerator(printing: "read dates")
    for _ in 0..<5000 {
      // The years 1 to 9999.
      let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
      let moment = Timestamp(seconds: seconds)
      #expect(Timestamp(text: moment.text) == moment)
      let minutes = Int64.random(in: 1..<1440, using: &random)
      let (hours, rest) = (minutes / 60, minutes % 60)
      let zone = "\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest)"
      #expect(
        Timestamp(text: moment.text.dropLast() + ".250+" + zone)
          == Timestamp(seconds: seconds - minutes * 60, nanoseconds: 250_000_000))
      #expect(
        Timestamp(text: moment.text.dropLast() + "-" + zone)
          == Timestamp(seconds: seconds + minutes * 60))
    }
    #expect(Timestamp(text: "2001-01-01 00:00:01.5Z")?.secondsSince2001 == 1.5)
  }

  @Test(
    arguments: [
      "", "2024", "2024-05-01", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z",
      "2024-13-01T00:00:00Z", "2024-05-01T24:00:00Z", "2024-05-01T00:60:00Z",
      "2024-05-01T00:00:00", "2024-05-01T00:00:00.Z", "2024-05-01T00:00:00+24:00",
      "2024-05-01T00:00:00+01:60", "2024-05-01T00:00:00ZZ", "0000-01-01T00:00:00Z",
      "２０２４-05-01T00:00:00Z", "2024-05-01X00:00:00Z", "+024-05-01T00:00:00Z",
    ])
  func `what is no moment isn't read`(text: String) {
    #expect(Timestamp(text: text) == nil)
  }

  @Test func `moments are ordered, and the present is one`() {
    let early = Timestamp(seconds: 1, nanoseconds: 999_999_999)
    #expect(early < Timestamp(seconds: 2))
    #expect(Timestamp(seconds: 2) < Timestamp(seconds: 2, nanoseconds: 1))
    let (first, second) = (WallClock.now(), WallClock.now())
    #expect(first > Timestamp(seconds: 1_700_000_000) && (0..<1_000_000_000 ~= first.nanoseconds))
    #expect(first <= second)
  }
}
