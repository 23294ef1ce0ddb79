import Testing
import TestSupport

@testable import StoreMigration

/// What a plan counts on the way is what it counts row by row.
@Suite struct DeliveryCountTests {
  @Test(arguments: ["V6", "V6@plan", "V7@additive"])
  func `a documented plan counts what a deliverable one decides`(version: String) throws {
    for _ in 0..<3 {
      let seed = UInt64.random(in: 0...100_000)
      let folder = try TemporaryDirectory()
      let path = try makeStore(version, rows: 220, seed: seed, users: 2, in: folder)
      func counts(_ rows: MigrationRequest.Rows) throws -> DeliveryCounts? {
        let request = MigrationRequest(userID: "someone", rows: rows)
        return try bundledMigrator().plan(for: path, request).delivery
      }
      let decided = try #require(try counts(.deliverable))
      #expect(try counts(.documented) == decided, "\(version), seed \(seed)")
      #expect(decided.addsUp && decided.completed > 0 && decided.quarantinedRows > 0)
    }
  }

  @Test func `secrets are found in keys as in a text without dashes`() {
    let words = [
      "password", "passwd", "passphrase", "passcode", "secret", "token", "apikey", "accesskey",
      "privatekey", "credential", "authorization", "cookie",
    ]
    let seed = UInt64.random(in: 0...100_000)
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<3_000 {
      let letters = Array("passwordtokenkei_-cPAT".utf8)
      let noise = (0..<numbers.below(14)).map { _ in letters[numbers.below(letters.count)] }
      let word = Array(words[numbers.below(words.count)].utf8)
      let cut = word.prefix(numbers.below(word.count + 1))
      let name = String(decoding: noise + cut + [0x5F] + word.dropFirst(cut.count), as: UTF8.self)
      let plain = name.lowercased().filter { $0 != "_" && $0 != "-" }
      #expect(SecretNames.occur(in: name) == words.contains { plain.contains($0) }, "\(name)")
      let half = String(name.prefix(noise.count + cut.count))
      let plainHalf = half.lowercased().filter { $0 != "_" && $0 != "-" }
      #expect(SecretNames.occur(in: half) == words.contains { plainHalf.contains($0) }, "\(half)")
    }
  }
}
