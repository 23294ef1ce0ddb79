import Foundation
import SQLite
import StoreModel
import RowRewriting
import OutboxConversion
import StoreProof

/// What a V6 outbox row becomes, stated slowly and obviously: over dictionaries, with Foundation.
///
/// It shares nothing with the engine: JSON is checked by Foundation after the rules of RFC 8259 that
/// Foundation doesn't enforce were checked by hand, and white space is taken out character by character.
func documentedRow(_ old: [String: Value], owner: String) -> [String: Value] {
  var new: [String: Value] = [:]
  for name in [
    "Z_PK", "Z_ENT", "Z_OPT", "ZID", "ZCREATEDAT", "ZEVENTTYPE", "ZSTATUS", "ZLASTATTEMPTAT",
    "ZCOMPLETEDAT", "ZERRORMESSAGE",
  ] {
    new[name] = old[name]
  }
  new["ZATTEMPTCOUNT"] = old["ZRETRYCOUNT"]
  new["ZENTITYID"] = old["ZID"]
  new["ZUSERID"] = .text(owner)
  new["ZMAXATTEMPTS"] = 5
  new["ZPRIORITY"] = 0
  new["ZISNEWRECORD"] = 1
  new["ZMETADATA"] = documentedMetadata(old["ZPAYLOAD"] ?? .null)
  return new
}

func documentedMetadata(_ payload: Value) -> Value {
  guard let bytes = payload.bytes, !bytes.isEmpty else { return .null }
  guard isStrictJSON(bytes) else { return .text(Data(bytes).base64EncodedString()) }
  return .text(withoutInsignificantSpace(bytes))
}

private func withoutInsignificantSpace(_ bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  var isInString = false
  var isEscaped = false
  for byte in bytes {
    if isInString {
      result.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
    } else if ![0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      result.append(byte)
      isInString = byte == UInt8(ascii: "\"")
    }
  }
  return result
}

/// Fixture payloads are JSON that every reader agrees on, or plainly not; edge cases of the grammar are
/// tested with the scanner.
private func isStrictJSON(_ bytes: [UInt8]) -> Bool {
  guard let first = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
    first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
    String(validating: bytes, as: UTF8.self) != nil
  else { return false }
  return (try? JSONSerialization.jsonObject(with: Data(bytes))) != nil
}
