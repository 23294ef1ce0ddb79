import JSONText
import StoreModel

/// A way to turn the values of some attributes of a row into those of others.
///
/// `MigrationFiles.md`, "Converters", specifies each.
package enum Converter: String, CaseIterable, Hashable, Sendable {
  /// Bytes to text: JSON without insignificant white space, anything else as base64.
  case jsonText = "json-text"

  /// The text of ``jsonText`` to the bytes it was made from.
  case jsonBytes = "json-bytes"

  /// The raw value of an enumeration to a text, or back.
  case rawValue = "raw-value"

  /// A whole number to a real one.
  case real

  /// A real number to a whole one.
  case integer

  /// A quantity as people write it, and notes, to number, unit and notes.
  case quantity

  /// Number, unit and notes to a quantity as people write it, and notes.
  case quantityText = "quantity-text"

  /// A mood's valence, -1…1, to its value, 1…10.
  case moodValue = "mood-value"

  /// A mood's value, 1…10, to its valence, -1…1.
  case moodValence = "mood-valence"
}

extension Converter {
  /// The converter that leads back.
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

  /// A Boolean value indicating whether each value follows from its converted form.
  ///
  /// Where it doesn't, ``inverse`` gives the nearest value: what a row gets that was written later.
  package var isReversible: Bool {
    switch self {
    case .jsonText, .rawValue, .real: true
    case .jsonBytes, .integer, .quantity, .quantityText, .moodValue, .moodValence: false
    }
  }

  /// The number of attributes that it reads.
  package var inputCount: Int { inputTypes.count }

  /// The number of attributes that it makes.
  package var outputCount: Int { outputTypes.count }

  /// The types of the attributes that it reads.
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

  /// The types of the attributes that it makes.
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

  /// The classes by which plans count what became of the values, in the order of reports.
  package var classes: [String] {
    switch self {
    case .jsonText: PayloadClass.allCases.map(\.rawValue)
    case .jsonBytes: ["json", "base64", "other", "empty"]
    case .rawValue: ["identical", "missing"]
    case .real, .integer: ["exact", "rounded", "missing"]
    case .quantity: ["parsed", "unparsed"]
    case .quantityText: ["written"]
    case .moodValue, .moodValence: ["computed", "clamped", "missing"]
    }
  }
}
