/// An exercise of a workout template as FitIQ kept it before V11.
package struct TemplateExercise: Hashable, Sendable {
  package var id: [UInt8]

  /// The template that the exercise claims to belong to; it belongs to the one that it is in.
  package var templateID: [UInt8]?

  /// The canonical upper-case texts of UUIDs.
  package var exerciseID: String?
  package var userExerciseID: String?
  package var exerciseName: String
  package var orderIndex: Int64
  package var technique: String?

  /// What V11 has no column for: pairs in the order of their names, repetitions in reserve, tempo.
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

  /// One of the technique's details.
  package struct Detail: Hashable, Sendable {
    package let name: String
    package let text: String
  }
}

extension TemplateExercise {
  /// The names of what V11 has no column for, where the exercise has it.
  var namesWithoutColumn: [String] {
    (techniqueDetails.isEmpty ? [] : ["techniqueDetails"]) + (rir == nil ? [] : ["rir"])
      + (tempo == nil ? [] : ["tempo"])
  }

  /// The notes, with what has no column behind them, a line each.
  var notesWithRest: String? {
    let lines =
      techniqueDetails.map { "\($0.name): \($0.text)" } + (rir.map { ["RIR: \($0)"] } ?? [])
      + (tempo.map { ["Tempo: \($0)"] } ?? [])
    guard !lines.isEmpty else { return notes }
    return ((notes.map { [$0] } ?? []) + lines).joined(separator: "\n")
  }
}
