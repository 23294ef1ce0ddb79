import JSONText
import TestSupport
import Testing

@testable import OutboxFormat

/// What is found on the bytes of payloads, against what is found in their parsed trees.
@Suite struct PayloadKeysTests {
  @Test func `keys are found as in the parsed tree`() throws {
    let seed = printedSeed(below: 100_000)
    var numbers = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let text = randomObject(&numbers, depth: 0)
      let bytes = Array(text.utf8)
      let (kind, keys) = PayloadKeys.classified(bytes.span)
      #expect(kind == PayloadClass(of: bytes.span), "seed \(seed): \(text)")
      // A tree refuses a name that is there twice, so the members of the top are listed by hand.
      let members = topMembers(text)
      let isClear =
        Set(members.map(\.name).filter(isClearNeeded)).count
        == members.count { isClearNeeded($0.name) }
      #expect(keys.isClear == isClear, "seed \(seed): \(text)")
      for (key, name) in zip(PayloadKey.allCases, PayloadKey.names) {
        let place = keys.place(of: [key]).map { bytes.span.jsonValue(at: $0) }
        let value = place.map { String(decoding: bytes[$0], as: UTF8.self) }
        #expect(value == members.first { $0.name == name }?.value, "seed \(seed): \(text)")
      }
      let user = members.last { $0.name == "user_id" || $0.name == "userId" }
      #expect((keys.lastUser == nil) == (user == nil), "seed \(seed): \(text)")
      #expect(keys.hasSecret == text.contains("oken"), "seed \(seed): \(text)")
      let told = PayloadKeys(bytes.span, tellingSecrets: true).namesSecret
      #expect(told == bytes.span.namesSecret && !keys.namesSecret, "seed \(seed): \(text)")
    }
  }

  @Test func `what can be read can be read with and without facts`() {
    let seed = printedSeed(below: 100_000)
    var numbers = SeededGenerator(seed: seed)
    var readable = 0
    for _ in 0..<4_000 {
      let text = randomObject(&numbers, depth: 0)
      let bytes = Array(text.utf8)
      let intent = OutboxIntent(
        OutboxSubject.allCases[numbers.below(4)],
        [OutboxIntent.Operation.create, .update, .delete][numbers.below(3)])
      let whole = OutboxPayload(bytes.span, for: intent)
      let brief = OutboxPayload(bytes.span, for: intent, hasFacts: false)
      let isReadable = OutboxPayload.isReadable(bytes.span, PayloadKeys(bytes.span), for: intent)
      #expect(isReadable == (whole != nil), "seed \(seed): \(text)")
      #expect(brief?.entity == whole?.entity, "seed \(seed): \(text)")
      #expect(brief?.user == whole?.user && brief?.backendID == whole?.backendID, "\(text)")
      if isReadable { readable += 1 }
    }
    #expect(readable > 100, "seed \(seed)")
  }

  @Test func `names are found by their bytes`() {
    let seed = printedSeed(below: 100_000)
    var numbers = SeededGenerator(seed: seed)
    let names = EventKind.names
    let table = NameTable(names)
    for _ in 0..<5_000 {
      var name = names[numbers.below(names.count)]
      if numbers.below(2) == 0 { name = String(name.dropLast(numbers.below(3))) }
      if numbers.below(4) == 0 { name += ["d", "s", "é"][numbers.below(3)] }
      let bytes = Array(name.utf8)
      let place = table.place(of: bytes.span)
      #expect(place == names.firstIndex(of: name), "\(name)")
    }
  }

  @Test func `words are counted as the app counts them`() {
    for (text, count) in [("", 0), ("  ", 0), ("a", 1), (" a  b\nc ", 2)] {
      let bytes = Array(text.utf8)
      #expect(bytes.span.wordCount == count)
    }
  }

  @Test(arguments: [(1_000_000, 30), (3_600, 200)])
  func `a filter forgets no entity and knows few others`(size: Int64, few: Int) {
    let seed = printedSeed(below: 100_000)
    var numbers = SeededGenerator(seed: seed)
    func id() -> [UInt8] { (0..<16).map { _ in UInt8(numbers.below(256)) } }
    let (once, twice, others) = (
      (0..<3_000).map { _ in id() }, (0..<300).map { _ in id() }, (0..<3_000).map { _ in id() }
    )
    var filter = EntityFilter(expectedCount: size)
    for id in once + twice + twice { filter.enter(.goal, id) }
    #expect(filter.subjects == [.goal])
    #expect((once + twice).allSatisfy { filter.mayHold(.goal, $0.span) }, "seed \(seed)")
    #expect(twice.allSatisfy { filter.mayBeRepeated(.goal, $0.span) }, "seed \(seed)")
    #expect(others.count { filter.mayHold(.goal, $0.span) } < few, "seed \(seed)")
    #expect(once.count { filter.mayBeRepeated(.goal, $0.span) } < few, "seed \(seed)")
    #expect(once.count { filter.mayHold(.mood, $0.span) } < few, "seed \(seed)")
    let none: [UInt8] = []
    let holdsNone = filter.mayHold(.goal, none.span)
    #expect(!holdsNone)
  }

  // MARK: - Random objects

  private func isClearNeeded(_ name: String) -> Bool {
    PayloadKey.names.contains(name) && !name.hasPrefix("message")
  }

  /// The members at the top of a text in which no string holds what a member begins with.
  private func topMembers(_ text: String) -> [(name: String, value: String)] {
    var members: [(name: String, value: String)] = []
    var rest = text.drop { $0 != "{" }.dropFirst()
    while let quote = rest.firstIndex(of: "\"") {
      rest = rest[quote...].dropFirst()
      let name = rest.prefix { $0 != "\"" }
      rest = rest[name.endIndex...].dropFirst().drop { " :\n".contains($0) }
      var depth = 0
      let value = rest.prefix { character in
        if "{[".contains(character) { depth += 1 }
        if "}]".contains(character) { depth -= 1 }
        return depth >= 0 && (depth > 0 || !", \n".contains(character))
      }
      rest = rest[value.endIndex...]
      let plain = name.replacing("\\u0069", with: "i").replacing("\\u005F", with: "_")
      members.append((String(plain), String(value)))
    }
    return members
  }

  private func randomObject(_ numbers: inout SeededGenerator, depth: Int) -> String {
    let space = ["", " ", "\n"][numbers.below(3)]
    let members = (0..<numbers.below(6)).map { _ in
      randomKey(&numbers) + ":" + space + randomValue(&numbers, depth: depth + 1)
    }
    return space + "{" + space + members.joined(separator: "," + space) + space + "}"
  }

  private func randomKey(_ numbers: inout SeededGenerator) -> String {
    let name =
      numbers.below(10) == 0
      ? ["access_token", "token", "other", "Id"][numbers.below(4)]
      : numbers.below(3) == 0
        ? "id" : PayloadKey.names[numbers.below(PayloadKey.names.count)]
    guard numbers.below(6) == 0 else { return "\"\(name)\"" }
    return "\"" + name.replacing("i", with: "\\u0069").replacing("_", with: "\\u005F") + "\""
  }

  private func randomValue(_ numbers: inout SeededGenerator, depth: Int) -> String {
    let uuid = "6F9619FF-8B86-4D01-B42D-00CF4FC964F\(numbers.below(10))"
    switch numbers.below(depth > 3 ? 8 : 10) {
    case 0: return "null"
    case 1: return "\(numbers.below(100))"
    case 2: return "\"none\""
    case 3: return "\"6F9619FF-8B86-4D01-B42D-00CF4FC964FX\""
    case 4: return "\"\\u0036" + uuid.dropFirst() + "\""
    case 8: return "[" + randomValue(&numbers, depth: depth + 1) + "]"
    case 9: return randomObject(&numbers, depth: depth)
    default: return "\"\(uuid)\""
    }
  }
}
