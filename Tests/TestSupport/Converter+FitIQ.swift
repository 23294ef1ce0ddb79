package import Migrations

extension Converter {
  /// FitIQ's converters, from its converter file.
  package static let moodValue = fitIQ("mood-value")
  package static let moodValence = fitIQ("mood-valence")

  private static func fitIQ(_ name: String) -> Converter {
    guard let converter = ConverterNames.bundled.converter(named: name, of: "FitIQ") else {
      preconditionFailure("FitIQ has no converter '\(name)'")
    }
    return converter
  }
}
