import SQLite
import StoreModel
import StoreProof
import TestSupport
import Testing

@Suite struct ValueMaskTests {
  private static let values: [Value] = {
    var values: [Value] = [
      .null, 0, 1, -1, .integer(.max), .integer(.min), 0.5, 1e300, "", "a", "ab", .blob([]),
      .blob([0]), .blob([1]), .blob([0, 0]), "0", "1",
    ]
    var random = SeededGenerator(seed: 4)
    for _ in 0..<300 { values.append(random.value()) }
    return values
  }()

  /// Returns an array that is equal for two values if they are equal to a mask.
  private func identity(_ value: Value) -> [String] {
    switch value {
    case .null: ["null"]
    case .integer(let number): ["number", "\(Double(number))", "\(number)"]
    case .real(let number):
      ["number", "\(number)", Int64(exactly: number).map(String.init) ?? ""]
    case .text(let bytes), .blob(let bytes): ["bytes", "\(bytes)"]
    }
  }

  @Test func `equal values have equal digits, and no others do`() {
    let mask = ValueMask(key: [1])
    let fingerprints = Self.values.filter { !$0.isNull }.map { value in
      (fingerprint: mask.fingerprint(of: value, named: "x"), identity: identity(value))
    }
    for left in fingerprints {
      for right in fingerprints {
        #expect(
          (left.fingerprint.digits == right.fingerprint.digits) == (left.identity == right.identity)
        )
      }
    }
  }

  @Test func `another key has other fingerprints`() {
    let (one, other) = (ValueMask(key: [1]), ValueMask(key: [2]))
    let same = Self.values.count { value in
      !value.isNull
        && one.fingerprint(of: value, named: "x").digits
          == other.fingerprint(of: value, named: "x").digits
    }
    #expect(same == 0)
  }

  @Test func `a fingerprint shows kind and length, and nothing else of the value`() {
    let mask = ValueMask(key: [1, 2, 3])
    let text = mask.fingerprint(of: "Grüße an alle", named: "Note.text")
    #expect(text.kind == .text)
    #expect(text.byteCount == 15)
    #expect(text.revealed == nil)
    #expect("\(text)".hasPrefix("text, 15 bytes, #"))
    #expect("\(text)".count == "text, 15 bytes, #".count + 8)
    #expect("\(mask.fingerprint(of: .blob([7]), named: "x"))".hasPrefix("blob, 1 byte, #"))
    #expect(mask.fingerprint(of: 5, named: "x").byteCount == nil)
    #expect("\(mask.fingerprint(of: 5, named: "x"))".hasPrefix("integer, #"))
    #expect("\(mask.fingerprint(of: .null, named: "x"))" == "null")
  }

  @Test(arguments: [
    "SDUser.password", "SDUser.passwordHash", "Session.authToken", "Session.refresh_token",
    "A.TOKEN",
    "AccessToken.value", "Settings.api-key", "Settings.clientSecret", "Login.credentials",
  ])
  func `a secret's fingerprint shows nothing, not even equality`(name: String) {
    for showsValues in [false, true] {
      let fingerprint = ValueMask(key: [1], showsValues: showsValues).fingerprint(
        of: "hunter2", named: name)
      #expect(fingerprint == .secret)
      #expect("\(fingerprint)" == "secret")
    }
  }

  @Test(
    arguments: [
      ("plain", "plain"), (7, "7"), (2.5, "2.5"), (.blob(Array("text".utf8)), "text"),
      (.blob([0xFF, 0xFE]), nil), ("{ \"a\": 1.0 }", "{ \"a\": 1.0 }"),
      ("{\"a\":1,\"Password\":\"hunter2\"}", "{\"a\":1,\"Password\":\"secret\"}"),
      (
        .blob(Array("[{\"refreshToken\":[\"hunter2\"]},2]".utf8)),
        "[{\"refreshToken\":\"secret\"},2]"
      ),
      ("{\"pass\\u0077ord\":\"hunter2\"}", "{\"password\":\"secret\"}"),
      (
        "{\"body\":\"{\\\"token\\\":\\\"hunter2\\\"}\"}",
        "{\"body\":\"{\\\"token\\\":\\\"secret\\\"}\"}"
      ),
      ("{\"token\":\"hunter2\"", nil), ("token=hunter2", nil),
      ("{\"a\":\"token=hunter2\"}", "{\"a\":\"secret\"}"),
      ("dG9rZW49aHVudGVyMg==", nil),
    ] as [(Value, String?)])
  func `requested values are shown without the secrets in them`(value: Value, shown: String?) {
    let fingerprint = ValueMask(key: [1], showsValues: true).fingerprint(
      of: value, named: "Event.payload")
    switch fingerprint.revealed {
    case .integer(let number): #expect("\(number)" == shown)
    case .real(let number): #expect("\(number)" == shown)
    case .text(let text): #expect(text == shown)
    case nil: #expect(shown == nil)
    }
  }

  @Test func `a UUID is shown as one`() {
    let bytes = (0..<16).map { UInt8($0) }
    let mask = ValueMask(key: [1], showsValues: true)
    #expect(
      mask.fingerprint(of: .blob(bytes), named: "x", type: .uuid).revealed
        == .text("00010203-0405-0607-0809-0A0B0C0D0E0F"))
  }
}
