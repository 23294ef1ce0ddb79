package import JSONText
import SQLite

/// An SQL function that converts payloads to texts.
final class PayloadFunction {
  private var converter = PayloadConverter()

  /// The number of payloads in each class, in the order of the classes.
  private var counts = PayloadClass.allCases.map { _ in Int64(0) }

  /// Returns the name of the function for a conversion of a program, by the conversion's index.
  package static func name(ofConversion place: Int) -> String { "payload_text_\(place)" }

  /// Answers a call; a number isn't a payload and fails the statement.
  package func answer(_ call: borrowing FunctionCall) {
    guard call.type != .integer, call.type != .real else {
      return call.fail("expected a payload, not a number")
    }
    let kind = call.withBytes { converter.convert($0) }
    switch kind {
    case .empty: call.answerNull()
    case .identical: call.answerSameBytesAsText()
    case .normalised, .base64: converter.withOutput { call.answer(text: $0) }
    }
    counts[kind.place] += 1
  }

  /// The counts by class.
  package var classes: [String: Int64] {
    Dictionary(
      uniqueKeysWithValues: zip(PayloadClass.allCases.map(\.rawValue), counts))
  }
}

extension PayloadClass {
  /// The index among all classes.
  package var place: Int {
    switch self {
    case .identical: 0
    case .normalised: 1
    case .base64: 2
    case .empty: 3
    }
  }
}
