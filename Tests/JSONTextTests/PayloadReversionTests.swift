import Foundation
import JSONText
import TestSupport
import Testing

@Suite struct PayloadReversionTests {
  @Test(
    arguments: [
      ("{}", .json, "{}"), ("[", .json, "["), ("{ not JSON", .json, "{ not JSON"),
      ("YQ==", .base64, "a"), ("YWI=", .base64, "ab"), ("YWJj", .base64, "abc"),
      ("YWJjZA==", .base64, "abcd"), ("IAo=", .base64, " \n"),
      ("", .other, ""), ("=", .other, "="), ("====", .other, "===="), ("YQ", .other, "YQ"),
      ("YQ=", .other, "YQ="), ("YR==", .other, "YR=="), ("YWJ=", .other, "YWJ="),
      ("YQ==YQ==", .other, "YQ==YQ=="), ("Y=Q=", .other, "Y=Q="), ("YQ=A", .other, "YQ=A"),
      ("YWJj\n", .other, "YWJj\n"), ("YW_-", .other, "YW_-"), ("note", .base64, nil),
      ("a note", .other, "a note"), (" {}", .other, " {}"), ("Y===", .other, "Y==="),
    ] as [(String, MetadataClass, String?)])
  func `metadata goes back to the payload it came from`(
    _ metadata: String, _ expected: MetadataClass, _ payload: String?
  ) {
    var converter = PayloadConverter()
    let reversion = revert(Array(metadata.utf8), using: &converter)
    #expect(reversion.class == expected)
    if let payload { #expect(reversion.payload == Array(payload.utf8)) }
  }

  @Test func `base64 of every length goes there and back`() {
    var converter = PayloadConverter()
    for count in 1..<260 {
      let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) | 0x80 }
      let conversion = convert(payload, using: &converter)
      #expect(conversion.metadata == Array(Data(payload).base64EncodedString().utf8))
      let reversion = revert(conversion.metadata ?? [], using: &converter)
      #expect(reversion.class == .base64)
      #expect(reversion.payload == payload)
    }
  }

  @Test func `conversion agrees with the obvious one, and reverts`() throws {
    let seed = printedSeed()
    var random = RandomJSON(seed: seed)
    var converter = PayloadConverter()
    for round in 0..<1500 {
      let document = random.document()
      for payload in [document, random.mutated(document), random.bytes()] {
        try check(payload, using: &converter, "seed \(seed), round \(round)")
      }
    }
  }

  private func check(
    _ payload: [UInt8], using converter: inout PayloadConverter, _ context: String
  ) throws {
    let (kind, metadata) = ReferenceConversion.convert(payload)
    let conversion = convert(payload, using: &converter)
    try #require(conversion.class.rawValue == kind, "\(context): \(payload)")
    try #require(conversion.metadata == metadata, "\(context): \(payload)")
    try #require(
      isJSON(payload) == (kind == "identical" || kind == "normalised"), "\(context)")

    guard let metadata else { return }
    let reversion = revert(metadata, using: &converter)
    let again = convert(reversion.payload, using: &converter)
    try #require(again.metadata == metadata, "\(context): \(payload)")
    if kind != "normalised" { try #require(reversion.payload == payload, "\(context): \(payload)") }
    #expect(reversion.class == (kind == "base64" ? .base64 : .json))
  }
}

/// Returns the class of metadata, and the payload.
func revert(
  _ metadata: [UInt8], using converter: inout PayloadConverter
) -> (class: MetadataClass, payload: [UInt8]) {
  switch converter.revert(metadata.span) {
  case .base64: (.base64, converter.withOutput { Array($0) })
  case let other: (other, metadata)
  }
}
