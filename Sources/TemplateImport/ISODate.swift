/// Returns a date in ISO 8601 as seconds since 2001-01-01 UTC; none for what is no such date.
///
/// The form is `2024-05-01T12:30:00Z`, with a fraction of the second and an offset (`+02:00`) if there are any:
/// what Foundation's encoders write.
func secondsSince2001(iso8601 text: String) -> Double? {
  var rest = Substring(text)
  guard let year = take(4, &rest), take("-", &rest), let month = take(2, &rest), take("-", &rest),
    let day = take(2, &rest), take("T", &rest) || take(" ", &rest), let hour = take(2, &rest),
    take(":", &rest), let minute = take(2, &rest), take(":", &rest), let second = take(2, &rest),
    (1...12).contains(month), day >= 1, day <= lengthOfMonth(month, year), hour < 24, minute < 60,
    second < 61
  else { return nil }
  var fraction = 0.0
  if take(".", &rest) {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let value = Double("0.\(digits)"), !digits.isEmpty else { return nil }
    fraction = value
    rest = rest.dropFirst(digits.count)
  }
  guard let offset = takeOffset(&rest), rest.isEmpty else { return nil }
  let days = daysSince2001(year, month, day)
  return Double(days * 86_400 + hour * 3_600 + minute * 60 + second - offset) + fraction
}

private func take(_ count: Int, _ rest: inout Substring) -> Int? {
  let digits = rest.prefix(count)
  guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
  rest = rest.dropFirst(count)
  return Int(digits)
}

private func take(_ character: Character, _ rest: inout Substring) -> Bool {
  guard rest.first == character else { return false }
  rest = rest.dropFirst()
  return true
}

/// The seconds that a time is ahead of UTC.
private func takeOffset(_ rest: inout Substring) -> Int? {
  if take("Z", &rest) { return 0 }
  let isAhead = take("+", &rest)
  guard isAhead || take("-", &rest), let hours = take(2, &rest) else { return nil }
  _ = take(":", &rest)
  guard let minutes = take(2, &rest), hours < 24, minutes < 60 else { return nil }
  return (isAhead ? 1 : -1) * (hours * 3_600 + minutes * 60)
}

private func isLeap(_ year: Int) -> Bool {
  year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

private func lengthOfMonth(_ month: Int, _ year: Int) -> Int {
  month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
}

private func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
  func daysBefore(_ year: Int) -> Int {
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400
  }
  let months = (1..<month).reduce(0) { $0 + lengthOfMonth($1, year) }
  return daysBefore(year) - daysBefore(2001) + months + day - 1
}
