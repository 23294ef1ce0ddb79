/// An exercise of a workout template as FitIQ kept it before V11.
public struct TemplateExercise: Hashable, Sendable {
  public var id: [UInt8]

  /// The template that the exercise claims to belong to; it belongs to the one that it is in.
  public var templateID: [UInt8]?

  /// The canonical upper-case texts of UUIDs.
  public var exerciseID: String?
  public var userExerciseID: String?
  public var exerciseName: String
  public var orderIndex: Int64
  public var technique: String?

  /// What V11 has no column for: pairs in the order of their names, repetitions in reserve, tempo.
  public var techniqueDetails: [Detail]
  public var rir: Int64?
  public var tempo: String?
  public var sets: Int64?
  public var reps: Int64?
  public var weightKg: Double?
  public var durationSeconds: Int64?
  public var restSeconds: Int64?
  public var notes: String?
  public var createdAt: Double
  public var backendID: String?

  /// One of the technique's details.
  public struct Detail: Hashable, Sendable {
    public let name: String
    public let text: String
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
