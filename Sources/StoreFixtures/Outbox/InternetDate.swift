/// Returns a date in the form `2025-01-27T09:30:00Z`, from seconds since 2001-01-01 UTC.
func internetDate(_ date: Double) -> [UInt8] {
  let seconds = Int(date.rounded(.down))
  let time = seconds - floorDivided(seconds, 86_400) * 86_400
  let (year, month, day) = civil(daysSince2001: floorDivided(seconds, 86_400))
  var text: [UInt8] = []
  text.reserveCapacity(20)
  for (number, width, end) in [
    (year, 4, "-"), (month, 2, "-"), (day, 2, "T"), (time / 3_600, 2, ":"),
    (time / 60 % 60, 2, ":"), (time % 60, 2, "Z"),
  ] {
    let digits = String(number).utf8
    for _ in digits.count..<max(width, digits.count) { text.append(UInt8(ascii: "0")) }
    text += digits
    text += end.utf8
  }
  return text
}

private func floorDivided(_ number: Int, _ divisor: Int) -> Int {
  number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
}

/// Returns the date of a day, counting years from March, where the leap day is the last of its year.
private func civil(daysSince2001: Int) -> (year: Int, month: Int, day: Int) {
  // 2000-03-01 begins a cycle of 400 years and lies 306 days before 2001-01-01.
  let days = daysSince2001 + 306
  let cycle = floorDivided(days, 146_097)
  let inCycle = days - cycle * 146_097
  let yearOfCycle = (inCycle - inCycle / 1_460 + inCycle / 36_524 - inCycle / 146_096) / 365
  let dayOfYear = inCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
  let march = (5 * dayOfYear + 2) / 153
  let month = march < 10 ? march + 3 : march - 9
  return (
    2_000 + cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month,
    dayOfYear - (153 * march + 2) / 5 + 1
  )
}
