/// A version identifier with numbers, such as `1.10.0`, which is higher than `1.9.0`.
struct VersionOrder: Comparable {
  let text: String
  private let numbers: [Int]

  /// Parses an identifier; `nil` if it isn't numbers with points.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard !parts.contains(nil) else { return nil }
    (self.text, numbers) = (text, parts.compactMap(\.self))
  }

  static func highest(_ texts: [String]) -> VersionOrder? {
    texts.compactMap { VersionOrder($0) }.max()
  }

  static func == (left: VersionOrder, right: VersionOrder) -> Bool {
    !(left < right) && !(right < left)
  }

  static func < (left: VersionOrder, right: VersionOrder) -> Bool {
    let count = max(left.numbers.count, right.numbers.count)
    func padded(_ numbers: [Int]) -> [Int] {
      numbers + Array(repeating: 0, count: count - numbers.count)
    }
    return padded(left.numbers).lexicographicallyPrecedes(padded(right.numbers))
  }
}
