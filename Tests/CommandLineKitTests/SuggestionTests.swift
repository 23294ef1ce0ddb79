import TestSupport
import Testing

@testable import CommandLineKit

@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("paln", ["apply", "plan", "lint"], "plan"),
      ("--ot", ["--to", "--out"], "--to"),
      ("-to", ["--to", "--out"], "--to"),
      ("--detailed-exit-code", ["--detailed-exitcode"], "--detailed-exitcode"),
      ("x", ["-h", "-m"], nil),
      ("roll", ["rollback"], nil),
      ("", ["plan"], nil),
      ("status", [], nil),
    ] as [(String, [String], String?)])
  func `a suggestion is close to what was typed`(
    typed: String, candidates: [String], expected: String?
  ) {
    #expect(nearest(to: typed, among: candidates) == expected)
  }

  @Test func `the distance is the least number of edits`() {
    let seed = printedSeed()
    var generator = SeededGenerator(seed: seed)
    func word() -> [Character] {
      (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        "abc".randomElement(using: &generator) ?? "a"
      }
    }
    for _ in 0..<300 {
      let (a, b) = (word(), word())
      #expect(editDistance(a, b) == slowDistance(a[...], b[...]), "\(a) \(b)")
    }
  }

  /// The definition, trying every edit of the last letters.
  private func slowDistance(_ a: ArraySlice<Character>, _ b: ArraySlice<Character>) -> Int {
    guard let x = a.last, let y = b.last else { return a.count + b.count }
    var least = min(
      slowDistance(a.dropLast(), b) + 1, slowDistance(a, b.dropLast()) + 1,
      slowDistance(a.dropLast(), b.dropLast()) + (x == y ? 0 : 1))
    if a.count > 1, b.count > 1, a.dropLast().last == y, b.dropLast().last == x {
      least = min(least, slowDistance(a.dropLast(2), b.dropLast(2)) + 1)
    }
    return least
  }
}
