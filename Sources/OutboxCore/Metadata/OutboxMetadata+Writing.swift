package import JSONText

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A reason why metadata can't be written or read.
public enum OutboxMetadataError: Error, Hashable, Sendable {
  /// A number isn't finite, and JSON can't represent it.
  case notFinite

  /// The text isn't JSON, is too long, or has an unknown coding.
  case unreadable
}

extension OutboxMetadataError: CustomStringConvertible, LocalizedError {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .notFinite: "a number in the metadata isn't finite"
    case .unreadable: "the metadata has an unknown coding"
    }
  }
}

extension OutboxMetadata {
  /// The text in FitIQCore's own coding: flat, with the case under `type`.
  ///
  /// The shipped apps replace the case with a workout's own type. This coding keeps the case, and
  /// writes the workout's type under `workoutType`: the shipped apps read such a text as a workout,
  /// and reading it here restores the type.
  public var text: String {
    get throws(OutboxMetadataError) {
      guard isFinite else { throw .notFinite }
      return json.text()
    }
  }

  private var isFinite: Bool {
    switch self {
    case .progressEntry(_, let value, _): value.isFinite
    case .moodEntry(let valence, _): valence.isFinite
    case .sleepSession(let duration, let quality): duration.isFinite && quality?.isFinite != false
    case .mealLog(let calories, let macros):
      calories.isFinite && macros.values.allSatisfy(\.isFinite)
    case .workout(_, let duration): duration.isFinite
    case .journalEntry, .goal, .generic: true
    }
  }

  /// The JSON document of the text, with dictionaries sorted by key.
  package var json: JSONValue {
    switch self {
    case .progressEntry(let metric, let value, let unit):
      [
        "type": "progressEntry", "metricType": .string(metric), "value": .number(value),
        "unit": .string(unit),
      ]
    case .moodEntry(let valence, let labels):
      [
        // A whole number keeps its decimal point, as in the stores migrated so far.
        "type": "moodEntry", "valence": .double(valence),
        "labels": JSONValue(labels) { .string($0) },
      ]
    case .journalEntry(let count, let mood):
      .object(
        [.init("type", "journalEntry"), .init("wordCount", .int(Int64(count)))]
          + (mood.map { [.init("linkedMoodID", .string($0.uuidString))] } ?? []))
    case .sleepSession(let duration, let quality):
      .object(
        [.init("type", "sleepSession"), .init("duration", .number(duration))]
          + (quality.map { [.init("quality", .number($0))] } ?? []))
    case .mealLog(let calories, let macros):
      [
        "type": "mealLog", "calories": .number(calories),
        "macros": .dictionary(macros) { .number($0) },
      ]
    case .workout("workout", let duration):
      ["type": "workout", "duration": .number(duration)]
    case .workout(let type, let duration):
      ["type": "workout", "workoutType": .string(type), "duration": .number(duration)]
    case .goal(let title, let category):
      ["type": "goal", "title": .string(title), "category": .string(category)]
    case .generic(let data):
      ["type": "generic", "data": .dictionary(data) { .string($0) }]
    }
  }
}

extension JSONValue {
  /// Returns a number as JSON encoders write it: a whole number has no decimal point.
  package static func number(_ number: Double) -> JSONValue {
    let isPlain = number.magnitude < 0x1p53 && !(number == 0 && number.sign == .minus)
    return isPlain ? Int64(exactly: number).map { .int($0) } ?? .double(number) : .double(number)
  }

  fileprivate static func dictionary<Value>(
    _ values: [String: Value], _ json: (Value) -> JSONValue
  ) -> JSONValue {
    // A delete's operation comes first, as Lume writes it.
    let keys = values.keys.sorted { $0 == "operation" || ($1 != "operation" && $0 < $1) }
    return .object(keys.compactMap { key in values[key].map { Member(key, json($0)) } })
  }
}
