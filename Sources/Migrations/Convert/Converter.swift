import JSONText
import StoreModel

/// A conversion of some attributes of a row to others.
///
/// See `MigrationFiles.md`, "Converters".
package enum Converter: String, CaseIterable, Hashable, Sendable {
  /// Bytes to text: JSON without insignificant whitespace, anything else as Base64.
  case jsonText = "json-text"

  /// The text of ``jsonText`` to the original bytes.
  case jsonBytes = "json-bytes"

  /// The raw value of an enumeration to text, or the reverse.
  case rawValue = "raw-value"

  /// An integer to a real number.
  case real

  /// A real number to an integer.
  case integer

  /// A quantity in free text, and notes, to number, unit and notes.
  case quantity

  /// Number, unit and notes to a quantity in free text, and notes.
  case quantityText = "quantity-text"

  /// A mood's valence, -1…1, to its value, 1…10.
  case moodValue = "mood-value"

  /// A mood's value, 1…10, to its valence, -1…1.
  case moodValence = "mood-valence"
}

extension Converter {
  /// The converter of the opposite direction.
  package var inverse: Converter {
    switch self {
    case .jsonText: .jsonBytes
    case .jsonBytes: .jsonText
    case .rawValue: .rawValue
    case .real: .integer
    case .integer: .real
    case .quantity: .quantityText
    case .quantityText: .quantity
    case .moodValue: .moodValence
    case .moodValence: .moodValue
    }
  }

  /// Whether every value can be restored exactly from its converted form.
  ///
  /// If not, ``inverse`` gives the nearest value, which is for rows that were written later. A real
  /// number holds every integer up to 2^53, and not all beyond.
  package var isReversible: Bool {
    switch self {
    case .jsonText, .rawValue: true
    case .real, .jsonBytes, .integer, .quantity, .quantityText, .moodValue, .moodValence: false
    }
  }

  /// The number of attributes that the converter reads.
  package var inputCount: Int { inputTypes.count }

  /// The number of attributes that the converter produces.
  package var outputCount: Int { outputTypes.count }

  /// The accepted types of each attribute that the converter reads.
  var inputTypes: [Set<AttributeType>] {
    let numbers: Set<AttributeType> = [.integer16, .integer32, .integer64, .double, .float]
    let texts: Set<AttributeType> = [.string, .uri]
    return switch self {
    case .jsonText: [[.binary, .transformable, .string]]
    case .jsonBytes, .rawValue: [texts]
    case .real, .integer, .moodValue, .moodValence: [numbers]
    case .quantity: [texts, texts]
    case .quantityText: [numbers, texts, texts]
    }
  }

  /// The type of each attribute that the converter produces.
  var outputTypes: [AttributeType] {
    switch self {
    case .jsonText, .rawValue: [.string]
    case .jsonBytes: [.binary]
    case .real, .moodValence: [.double]
    case .integer, .moodValue: [.integer64]
    case .quantity: [.double, .string, .string]
    case .quantityText: [.string, .string]
    }
  }

  /// The classes under which plans count conversions, in the order of reports.
  package var classes: [String] {
    switch self {
    case .jsonText: PayloadClass.allCases.map(\.rawValue)
    case .jsonBytes: ["json", "base64", "other", "empty"]
    case .rawValue: ["identical", "missing"]
    case .real: ["exact", "rounded", "missing"]
    case .quantity: ["parsed", "unparsed"]
    case .quantityText: ["written"]
    case .integer, .moodValue, .moodValence: ["exact", "rounded", "clamped", "missing"]
    }
  }
}
