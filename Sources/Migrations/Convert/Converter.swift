import JSONText
package import StoreModel

/// A conversion of some attributes of a row to others.
///
/// See `MigrationFiles.md`, "Converters".
package enum Converter: Hashable, Sendable {
  /// Bytes to text: JSON without insignificant whitespace, anything else as Base64.
  case jsonText

  /// The text of ``jsonText`` to the original bytes.
  case jsonBytes

  /// The raw value of an enumeration to text, or the reverse.
  case rawValue

  /// An integer to a real number.
  case real

  /// A real number to an integer of a type; one outside its range becomes the nearest limit.
  case integer(AttributeType)

  /// A quantity in free text, and notes, to number, unit and notes.
  case quantity

  /// Number, unit and notes to a quantity in free text, and notes.
  case quantityText

  /// One number to another, by a formula of a converter file.
  case formula(FormulaConverter)
}

extension Converter {
  /// The converters that are part of the tool.
  package static let general: [Converter] = [
    .jsonText, .jsonBytes, .rawValue, .real, .integer(.integer64), .quantity, .quantityText,
  ]

  /// The name, as steps spell it.
  package var name: String {
    switch self {
    case .jsonText: "json-text"
    case .jsonBytes: "json-bytes"
    case .rawValue: "raw-value"
    case .real: "real"
    case .integer: "integer"
    case .quantity: "quantity"
    case .quantityText: "quantity-text"
    case .formula(let converter): converter.forward.name
    }
  }
}

extension Converter {
  /// The converter of the opposite direction.
  package var inverse: Converter {
    switch self {
    case .jsonText: .jsonBytes
    case .jsonBytes: .jsonText
    case .rawValue: .rawValue
    case .real: .integer(.integer64)
    case .integer: .real
    case .quantity: .quantityText
    case .quantityText: .quantity
    case .formula(let converter): .formula(converter.inverse)
    }
  }

  /// Whether every value can be restored exactly from its converted form.
  ///
  /// If not, ``inverse`` gives the nearest value, which is for rows that were written later. A real
  /// number holds every integer up to 2^53, and not all beyond.
  package var isReversible: Bool {
    switch self {
    case .jsonText, .rawValue: true
    case .real, .jsonBytes, .integer, .quantity, .quantityText, .formula: false
    }
  }

  /// The number of attributes that the converter reads.
  package var inputCount: Int { inputTypes.count }

  /// The number of attributes that the converter produces.
  package var outputCount: Int { outputTypes.count }

  /// The accepted types of each attribute that the converter reads.
  var inputTypes: [Set<AttributeType>] {
    let numbers = Set(NumberFormula.types)
    let texts: Set<AttributeType> = [.string, .uri]
    return switch self {
    case .jsonText: [[.binary, .transformable, .string]]
    case .jsonBytes, .rawValue: [texts]
    case .real, .integer, .formula: [numbers]
    case .quantity: [texts, texts]
    case .quantityText: [numbers, texts, texts]
    }
  }

  /// The type of each attribute that the converter produces.
  var outputTypes: [AttributeType] {
    switch self {
    case .jsonText, .rawValue: [.string]
    case .jsonBytes: [.binary]
    case .real: [.double]
    case .integer(let type): [type]
    case .formula(let converter): [converter.forward.output]
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
    case .integer, .formula: ["exact", "rounded", "clamped", "missing"]
    }
  }
}
