package import SQLite

extension Converter {
  /// An enumeration's raw value stands in its column as the text it is.
  package static func rawValue(_ value: Value) throws(ConversionError) -> Converted {
    guard try value.text() != nil else { return Converted(.null, "missing") }
    return Converted(value, "identical")
  }

  package static func real(_ value: Value) throws(ConversionError) -> Converted {
    guard let number = try value.number() else { return Converted(.null, "missing") }
    let isExact = value.int64.map { Int64(exactly: number) == $0 } ?? true
    return Converted(.real(number), isExact ? "exact" : "rounded")
  }

  /// Rounds half away from zero; what no 64-bit number can hold becomes the nearest that one can.
  package static func integer(_ value: Value) throws(ConversionError) -> Converted {
    if case .integer = value { return Converted(value, "exact") }
    guard let number = try value.number() else { return Converted(.null, "missing") }
    let rounded = number.rounded(.toNearestOrAwayFromZero)
    let whole = Int64(exactly: rounded) ?? (rounded < 0 ? .min : .max)
    return Converted(.integer(whole), Double(whole) == number ? "exact" : "rounded")
  }

  /// FitIQ's own formula: `round((valence + 1) · 4.5 + 1)`, half away from zero, within 1…10.
  package static func moodValue(_ value: Value) throws(ConversionError) -> Converted {
    guard let valence = try value.number() else { return Converted(.null, "missing") }
    let exact = ((valence + 1) * 4.5 + 1).rounded(.toNearestOrAwayFromZero)
    let clamped = min(max(exact, 1), 10)
    return Converted(.integer(Int64(clamped)), exact == clamped ? "computed" : "clamped")
  }

  /// The valence in the middle of those that have the value.
  package static func moodValence(_ value: Value) throws(ConversionError) -> Converted {
    guard let number = try value.number() else { return Converted(.null, "missing") }
    let clamped = min(max(number, 1), 10)
    return Converted(.real((clamped - 1) / 4.5 - 1), clamped == number ? "computed" : "clamped")
  }
}
