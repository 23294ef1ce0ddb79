extension BinaryInteger {
  /// The number with a comma between thousands: `1,204`.
  package var grouped: String {
    let digits = Array(String(magnitude))
    let groups = digits.enumerated().map { index, digit in
      let rest = digits.count - index
      return (index > 0 && rest % 3 == 0 ? "," : "") + String(digit)
    }
    return (self < 0 ? "-" : "") + groups.joined()
  }
}

/// Returns a count with a singular or plural noun: `1 row`, `1,204 rows`.
package func counted(_ count: some BinaryInteger, _ one: String, _ many: String) -> String {
  "\(count.grouped) \(count == 1 ? one : many)"
}
