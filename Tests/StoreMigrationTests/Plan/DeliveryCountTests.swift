import JSONText
import SQLite
import StoreModel
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

  @Test func `what is certainly readable can be read, to the same entity`() throws {
    let seed = UInt64.random(in: 0...100_000)
    var numbers = SeededNumbers(seed: seed)
    var certain = 0
    for _ in 0..<3_000 {
      let payload = Array(randomPayload(&numbers).utf8)
      guard isJSONText(payload.span) else { continue }
      let keys = PayloadKeys(payload.span)
      for type in OutboxAudit.knownTypes.sorted() {
        guard let intent = OutboxIntent(eventType: type) else { continue }
        let isCertain = OutboxPayload.isCertainlyReadable(payload.span, keys, for: intent)
        let entity = OutboxPayload.certainEntity(payload.span, keys, for: intent)
        let read = OutboxPayload(payload.span, for: intent)
        #expect(!isCertain || read != nil, "\(type), seed \(seed)")
        #expect(entity == (isCertain ? read?.entity : nil), "\(type), seed \(seed)")
        certain += isCertain ? 1 : 0
      }
    }
    #expect(certain > 0)
  }

  /// Members that count and others, twice now and then, with values of every type.
  private func randomPayload(_ numbers: inout SeededNumbers) -> String {
    let names = [
      "id", "local_id", "localId", "entry_id", "user_id", "userId", "backend_id", "conversation_id",
      "title", "other", "password",
    ]
    let values = [
      "null", "7", "\"\"", "\"none\"", "\"a\\u0062c\"", "{\"id\":\"x\"}", "[\"id\"]",
      "\"0B6AF7F0-5C0B-4C53-9A52-9A0CDBB6E5D3\"", "\"6f9619ff-8b86-4d01-b42d-00cf4fc964ff\"",
      "\"6f9619ff-8b86-4d01-b42d-00cf4fc964f\\u0066\"",
    ]
    let members = (0..<numbers.below(6)).map { _ in
      "\"\(names[numbers.below(names.count)])\" : \(values[numbers.below(values.count)])"
    }
    return " { \(members.joined(separator: " , ")) }"
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
