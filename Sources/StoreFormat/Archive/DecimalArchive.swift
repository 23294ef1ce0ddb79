import PropertyList

/// The class names of an archived decimal number.
let decimalNumberClasses = ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"]

/// Returns the text of an archived `NSDecimalNumber`, or `nil` if it isn't a number.
///
/// The mantissa has up to eight 16-bit words, the lowest first, in the byte order `NS.mantissa.bo`
/// (1 little-endian, 2 big-endian). The exponent is a power of ten.
func decimalText(of list: PropertyList) -> String? {
  guard
    let mantissa = list["NS.mantissa"]?.dataValue, mantissa.count == 16,
    let length = list["NS.length"]?.integerValue, 0...8 ~= length,
    let exponent = list["NS.exponent"]?.integerValue, -128...127 ~= exponent
  else { return nil }
  let isBigEndian = list["NS.mantissa.bo"]?.integerValue == 2
  let isNegative = list["NS.negative"]?.booleanValue ?? false
  // Without digits, a negative sign means NaN.
  if length == 0 && isNegative { return nil }

  let words = (0..<Int(length)).map { index in
    let (low, high) = isBigEndian ? (2 * index + 1, 2 * index) : (2 * index, 2 * index + 1)
    return UInt32(mantissa[low]) | UInt32(mantissa[high]) << 8
  }
  let digits = decimalDigits(ofWords: words)
  if digits == "0" { return "0" }
  return (isNegative ? "-" : "") + decimalText(digits: digits, exponent: Int(exponent))
}

/// Returns the members of an archived decimal number.
///
/// Returns `nil` if the text isn't a number, or its mantissa doesn't fit in 128 bits.
func decimalArchive(of text: String) -> [String: PropertyList]? {
  guard let (isNegative, digits, exponent) = decimalParts(of: text), -128...127 ~= exponent else {
    return nil
  }
  var words: [UInt16] = []
  for digit in digits {
    var carry = UInt32(digit)
    for index in words.indices {
      carry += UInt32(words[index]) * 10
      words[index] = UInt16(truncatingIfNeeded: carry)
      carry >>= 16
    }
    if carry > 0 { words.append(UInt16(carry)) }
  }
  guard words.count <= 8 else { return nil }
  let padded = words + Array(repeating: 0, count: 8 - words.count)
  return [
    "NS.mantissa": .data(padded.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
    "NS.mantissa.bo": .integer(1),
    "NS.length": .integer(Int64(words.count)),
    "NS.exponent": .integer(Int64(exponent)),
    "NS.negative": .boolean(isNegative && !words.isEmpty),
    "NS.compact": .boolean(true),
  ]
}

/// Converts base-65536 words, lowest first, to decimal digits.
private func decimalDigits(ofWords words: [UInt32]) -> String {
  var rest = words
  var digits: [Character] = []
  while rest.contains(where: { $0 != 0 }) {
    var remainder: UInt32 = 0
    for index in rest.indices.reversed() {
      let dividend = remainder << 16 | rest[index]
      rest[index] = dividend / 10
      remainder = dividend % 10
    }
    digits.append(Character(String(remainder)))
  }
  return digits.isEmpty ? "0" : String(digits.reversed())
}

private func decimalText(digits: String, exponent: Int) -> String {
  if exponent >= 0 { return digits + String(repeating: "0", count: exponent) }
  let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
  var fraction = padded.suffix(-exponent)
  while fraction.last == "0" { fraction.removeLast() }
  let whole = padded.dropLast(-exponent)
  return fraction.isEmpty ? String(whole) : "\(whole).\(fraction)"
}

/// Returns the sign, the digits without leading and trailing zeros, and the power of ten.
private func decimalParts(of text: String) -> (isNegative: Bool, digits: [Int], exponent: Int)? {
  let isNegative = text.hasPrefix("-")
  let parts = text.drop { $0 == "-" || $0 == "+" }.split(
    separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
  let fraction = parts.count > 1 ? parts[1] : ""
  guard let whole = parts.first, !(whole + fraction).isEmpty else { return nil }
  var digits: [Int] = []
  for character in whole + fraction {
    guard character.isASCII, let digit = character.wholeNumberValue else { return nil }
    digits.append(digit)
  }
  var exponent = -fraction.count
  while digits.last == 0 {
    digits.removeLast()
    exponent += 1
  }
  return (isNegative, Array(digits.drop { $0 == 0 }), digits.isEmpty ? 0 : exponent)
}
