import Platform

/// Returns the form `2025-01-27T09:30:00Z` of a date in seconds since 2001-01-01 UTC.
func internetDate(_ date: Double) -> [UInt8] {
  let seconds = Int64(date.rounded(.down)) + Timestamp.referenceDate
  let date = CalendarDate(Timestamp(seconds: seconds))
  var text: [UInt8] = []
  text.reserveCapacity(20)
  for (number, width, end) in [
    (date.year, 4, "-"), (date.month, 2, "-"), (date.day, 2, "T"), (date.hour, 2, ":"),
    (date.minute, 2, ":"), (date.second, 2, "Z"),
  ] {
    let digits = String(number).utf8
    for _ in digits.count..<max(width, digits.count) { text.append(UInt8(ascii: "0")) }
    text += digits
    text += end.utf8
  }
  return text
}
