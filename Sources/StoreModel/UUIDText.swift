/// Returns the 16 bytes of a UUID in its usual text form, in either case; none for anything else.
public func uuidBytes(_ text: String) -> [UInt8]? {
  let characters = Array(text.utf8)
  let dash = UInt8(ascii: "-")
  guard characters.count == 36 else { return nil }
  for place in [8, 13, 18, 23] where characters[place] != dash { return nil }
  let digits = characters.enumerated().filter { ![8, 13, 18, 23].contains($0.offset) }.map(
    \.element)
  guard !digits.contains(dash) else { return nil }
  let nibbles = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
  guard nibbles.count == 32 else { return nil }
  return (0..<16).map { nibbles[$0 * 2] << 4 | nibbles[$0 * 2 + 1] }
}

/// Returns the canonical upper-case text of a UUID's 16 bytes.
public func uuidText(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789ABCDEF")
  var text = ""
  for (place, byte) in bytes.enumerated() {
    if [4, 6, 8, 10].contains(place) { text.append("-") }
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return text
}
