import JSONText
import OutboxCore
import OutboxFormat

@testable import StoreMigration
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

extension FuzzTarget {
  private static let texts: [String] = [
    "{}", "[]", "{\"a\":1}",
    " { \"id\" : \"6F9619FF-8B86-4D01-B42D-00CF4FC964FF\" , \"n\":[1,2]}\n",
    "[1.5e-3,-0,true,false,null,\"\\u00e9\\ud83d\\ude00\\\"\"]", "{\"a\":1,\"a\":2}", "e30=",
    "{\"type\":\"generic\",\"data\":{\"operation\":\"delete\",\"backendId\":\"x\"}}",
    "{\"id\":\"x\",\"valence\":0.5,\"labels\":[\"a\"],\"content\":\"two words\",\"title\":\"é\"}",
    String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
    String(repeating: "{\"a\":", count: 513) + "1" + String(repeating: "}", count: 513),
    "bm90IGpzb24=", "\u{FEFF}{}", "{\"a\": \"\u{7F}\u{2028}\"}",
  ]

  /// Payloads of an outbox: converted, converted back, and looked into.
  static let payload = FuzzTarget(name: "payload", seeds: { texts.map { Array($0.utf8) } }) {
    bytes in
    let isText = isJSONText(bytes.span)
    var converter = PayloadConverter()
    let kind = converter.convert(bytes.span)
    guard isText == (kind == .identical || kind == .normalised) else {
      return "the scan and the conversion differ about what is JSON"
    }
    guard (kind == .empty) == bytes.isEmpty else { return "what is empty isn't empty" }
    if kind == .normalised || kind == .base64 {
      let output = Array(converter.buffer.prefix(converter.outputCount))
      if let problem = problem(of: output, from: bytes, kind) { return problem }
    }
    _ = converter.revert(bytes.span)
    _ = PayloadClass(of: bytes.span) { _ in }
    for intent in intents { _ = OutboxPayload(bytes.span, for: intent) }
    _ = DecodedMetadata(bytes)
    return nil
  }

  private static func problem(
    of output: [UInt8], from bytes: [UInt8], _ kind: PayloadClass
  ) -> String? {
    var converter = PayloadConverter()
    if kind == .normalised {
      let isSame = output == withoutWhitespace(bytes)
      return isSame && converter.convert(output.span) == .identical
        ? nil : "more than white space is gone"
    }
    let isBack =
      converter.revert(output.span) == .base64
      && Array(converter.buffer.prefix(converter.outputCount)) == bytes
    return isBack ? nil : "base64 doesn't lead back"
  }

  private static func withoutWhitespace(_ bytes: [UInt8]) -> [UInt8] {
    var (isString, isEscaped) = (false, false)
    return bytes.filter { byte in
      defer {
        if isString && !isEscaped && byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else {
          if byte == UInt8(ascii: "\"") && !isEscaped { isString.toggle() }
          isEscaped = false
        }
      }
      return isString || ![0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }
  }

  private static let intents: [OutboxIntent] = OutboxSubject.allCases.flatMap { subject in
    [OutboxIntent(subject, .create), OutboxIntent(subject, .delete)]
  }

  /// Files in JSON: the reader, which is stricter than the scan in two things and in no other.
  static let json = FuzzTarget(name: "json", seeds: payload.seeds) { bytes in
    do throws(JSONError) {
      let node = try JSONNode(parsing: bytes, file: "f")
      let isContainer: Bool
      switch node.value {
      case .object, .array: isContainer = true
      default: isContainer = false
      }
      return isContainer == isJSONText(bytes.span) ? nil : "the reader takes what the scan doesn't"
    } catch {
      guard isJSONText(bytes.span) else {
        return error.description.isEmpty ? "an error without words" : nil
      }
      switch error.reason {
      case .duplicateKey, .unpairedSurrogate: return nil
      default: return "the scan takes what the reader doesn't: \(error)"
      }
    }
  }
}
