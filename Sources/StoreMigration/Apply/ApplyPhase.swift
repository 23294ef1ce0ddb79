/// A phase of an apply, for progress reports.
public enum ApplyPhase: String, CaseIterable, Hashable, Sendable {
  /// The new store is written into the snapshot's folder.
  case writing

  /// The new store is checked alone and against the old one.
  case proving

  /// The new store replaces the old one.
  case exchanging
}
