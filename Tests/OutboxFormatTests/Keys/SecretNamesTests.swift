import TestSupport
import Testing

@testable import OutboxFormat

/// Names of secrets, beside a search in the lowercased text without its dashes.
@Suite struct SecretNamesTests {
  private static let words = [
    "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "accesskey",
    "privatekey", "credential", "authorization", "cookie", "pwd", "jwt", "bearer",
  ]

  private func slowly(_ name: String) -> Bool {
    let text = name.lowercased().filter { $0 != "_" && $0 != "-" }
    return Self.words.contains { text.contains($0) }
  }

  @Test func `a secret is told by its name, however it is spelt`() {
    let seed = printedSeed(below: 100_000)
    var source = SeededGenerator(seed: seed)
    let parts = Self.words + ["pass", "word", "to", "ken", "api", "key", "co", "a", "Z", "é", "{"]
    var (secrets, others) = (0, 0)
    for _ in 0..<5_000 {
      var name = ""
      for _ in 0..<source.number(4) {
        var part = parts[Int(source.number(UInt64(parts.count)))]
        if source.number(3) == 0 { part = part.uppercased() }
        if source.number(3) == 0 { part.removeLast() }
        if source.number(4) == 0 { part = part.map { "\($0)_" }.joined() }
        name += part + ["", "_", "-", "."][Int(source.number(4))]
      }
      let found = SecretNames.occur(in: name)
      #expect(found == slowly(name), "seed \(seed): \(name)")
      if found { secrets += 1 } else { others += 1 }
    }
    #expect(secrets > 500 && others > 500)
  }

  @Test func `secrets are found in keys as in a text without dashes`() {
    let seed = printedSeed(below: 100_000)
    var numbers = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      let letters = Array("passwordtokenkei_-cPAT".utf8)
      let noise = (0..<numbers.below(14)).map { _ in letters[numbers.below(letters.count)] }
      let word = Array(Self.words[numbers.below(Self.words.count)].utf8)
      let cut = word.prefix(numbers.below(word.count + 1))
      let name = String(decoding: noise + cut + [0x5F] + word.dropFirst(cut.count), as: UTF8.self)
      #expect(SecretNames.occur(in: name) == slowly(name), "\(name)")
      let half = String(name.prefix(noise.count + cut.count))
      #expect(SecretNames.occur(in: half) == slowly(half), "\(half)")
    }
  }
}
