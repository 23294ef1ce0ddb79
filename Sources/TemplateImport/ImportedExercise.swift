/// An exercise of a workout template, in FitIQ's format before V11.
package struct ImportedExercise: Hashable, Sendable {
  package var id: [UInt8]

  /// The ID of the template according to the exercise; the enclosing template counts.
  package var templateID: [UInt8]?

  /// The UUIDs as canonical uppercase text.
  package var exerciseID: String?
  package var userExerciseID: String?
  package var exerciseName: String
  package var orderIndex: Int64
  package var technique: String?

  /// Fields without a column in V11: details sorted by name, repetitions in reserve, tempo.
  package var techniqueDetails: [Detail]
  package var rir: Int64?
  package var tempo: String?
  package var sets: Int64?
  package var reps: Int64?
  package var weightKg: Double?
  package var durationSeconds: Int64?
  package var restSeconds: Int64?
  package var notes: String?
  package var createdAt: Double
  package var backendID: String?

  /// A detail of the technique.
  package struct Detail: Hashable, Sendable {
    package let name: String
    package let text: String
  }
}

extension ImportedExercise {
  /// The names of the exercise's fields that have no column in V11.
  var namesWithoutColumn: [String] {
    (techniqueDetails.isEmpty ? [] : ["techniqueDetails"]) + (rir == nil ? [] : ["rir"])
      + (tempo == nil ? [] : ["tempo"])
  }

  /// The notes, followed by a line for each field without a column.
  var notesWithRest: String? {
    let lines =
      techniqueDetails.map { "\($0.name): \($0.text)" } + (rir.map { ["RIR: \($0)"] } ?? [])
      + (tempo.map { ["Tempo: \($0)"] } ?? [])
    guard !lines.isEmpty else { return notes }
    return ((notes.map { [$0] } ?? []) + lines).joined(separator: "\n")
  }
}
