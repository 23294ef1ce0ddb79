/// Returns the 16 bytes of a UUID in its usual text form, in either case; none for anything else.
public func uuidBytes(_ text: String) -> [UInt8]? {
  let characters = Array(text.utf8)
  return uuidBytes(characters.span)
}

/// Returns the 16 bytes of a UUID that ASCII characters spell, in either case.
public func uuidBytes(_ characters: Span<UInt8>) -> [UInt8]? {
  guard isUUID(characters) else { return nil }
  return [UInt8](capacity: 16) { bytes in
    var place = 0
    while place < 36 {
      if isDashed(place) { place += 1 }
      bytes.append(
        (characters[place].hexDigit ?? 0) << 4 | (characters[place + 1].hexDigit ?? 0))
      place += 2
    }
  }
}

/// Returns whether ASCII characters spell a UUID, in either case.
public func isUUID(_ characters: Span<UInt8>) -> Bool {
  guard characters.count == 36, characters[8] == UInt8(ascii: "-"),
    characters[13] == UInt8(ascii: "-"), characters[18] == UInt8(ascii: "-"),
    characters[23] == UInt8(ascii: "-")
  else { return false }
  var digits = 0
  for place in characters.indices where characters[place].isHexDigit { digits += 1 }
  return digits == 32
}

/// Returns whether ASCII characters spell the UUID of these 16 bytes, in either case.
public func spells(_ characters: Span<UInt8>, uuid bytes: Span<UInt8>) -> Bool {
  guard characters.count == 36, bytes.count == 16 else { return false }
  var place = 0
  for index in bytes.indices {
    if isDashed(place) {
      guard characters[place] == UInt8(ascii: "-") else { return false }
      place += 1
    }
    guard let high = characters[place].hexDigit, let low = characters[place + 1].hexDigit,
      high << 4 | low == bytes[index]
    else { return false }
    place += 2
  }
  return true
}

/// Returns whether a UUID's text has a dash at a place.
private func isDashed(_ place: Int) -> Bool {
  place == 8 || place == 13 || place == 18 || place == 23
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    self &- UInt8(ascii: "0") < 10 || (self | 0x20) &- UInt8(ascii: "a") < 6
  }

  /// What an ASCII character stands for as a hexadecimal digit.
  fileprivate var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// Returns the canonical upper-case text of a UUID's 16 bytes.
public func uuidText(_ bytes: [UInt8]) -> String {
  let text = [UInt8](capacity: 2 * bytes.count + 4) { text in
    for (place, byte) in bytes.enumerated() {
      if place == 4 || place == 6 || place == 8 || place == 10 { text.append(UInt8(ascii: "-")) }
      text.append((byte >> 4).hexCharacter)
      text.append((byte & 15).hexCharacter)
    }
  }
  return String(decoding: text, as: UTF8.self)
}

extension UInt8 {
  /// The upper-case hexadecimal digit of a number up to 15.
  fileprivate var hexCharacter: UInt8 {
    self < 10 ? self + UInt8(ascii: "0") : self - 10 + UInt8(ascii: "A")
  }
}
