package import SQLite

extension Converter {
  /// Returns the text unchanged: a column holds the raw value of an enumeration as text.
  package static func rawValue(_ value: Value) throws(ConversionError) -> Converted {
    guard try value.text() != nil else { return Converted(.null, "missing") }
    return Converted(value, "identical")
  }

  package static func real(_ value: Value) throws(ConversionError) -> Converted {
    guard let number = try value.number() else { return Converted(.null, "missing") }
    let isExact = value.int64.map { Int64(exactly: number) == $0 } ?? true
    return Converted(.real(number), isExact ? "exact" : "rounded")
  }

  /// Rounds half away from zero; a number outside the range of `Int64` becomes the nearest limit.
  package static func integer(_ value: Value) throws(ConversionError) -> Converted {
    if case .integer = value { return Converted(value, "exact") }
    guard let number = try value.number() else { return Converted(.null, "missing") }
    let rounded = number.rounded(.toNearestOrAwayFromZero)
    let whole = Int64(exactly: rounded) ?? (rounded < 0 ? .min : .max)
    return Converted(.integer(whole), Double(whole) == number ? "exact" : "rounded")
  }

  /// Computes FitIQ's formula: `round((valence + 1) · 4.5 + 1)`, half away from zero, within 1…10.
  package static func moodValue(_ value: Value) throws(ConversionError) -> Converted {
    guard let valence = try value.number() else { return Converted(.null, "missing") }
    let exact = ((valence + 1) * 4.5 + 1).rounded(.toNearestOrAwayFromZero)
    let clamped = min(max(exact, 1), 10)
    return Converted(.integer(Int64(clamped)), exact == clamped ? "computed" : "clamped")
  }

  /// Computes the inverse of the formula of ``moodValue(_:)``, for a value within 1…10.
  package static func moodValence(_ value: Value) throws(ConversionError) -> Converted {
    guard let number = try value.number() else { return Converted(.null, "missing") }
    let clamped = min(max(number, 1), 10)
    return Converted(.real((clamped - 1) / 4.5 - 1), clamped == number ? "computed" : "clamped")
  }
}
