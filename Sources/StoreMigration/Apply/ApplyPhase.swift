/// A stretch of an apply, told to whoever follows its progress.
public enum ApplyPhase: String, CaseIterable, Hashable, Sendable {
  /// The new store is written in the snapshot's folder.
  case writing

  /// The new store is checked by itself and against the old one.
  case proving

  /// The new store takes the old one's place.
  case exchanging
}
