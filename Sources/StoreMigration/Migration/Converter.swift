import JSONText

/// A way to turn one value into another form.
public enum Converter: String, CaseIterable, Hashable, Sendable {
  /// Bytes to text: JSON without insignificant white space, anything else as base64.
  case jsonText = "json-text"

  /// A Boolean value indicating whether each value follows from its converted form.
  public var isReversible: Bool {
    switch self {
    case .jsonText: true
    }
  }

  /// The classes by which plans count what became of the values, in the order of reports.
  public var classes: [String] {
    switch self {
    case .jsonText: PayloadClass.allCases.map(\.rawValue)
    }
  }
}
