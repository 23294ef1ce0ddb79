/// What becomes of what was written to a store since it was migrated.
public enum LaterWrites: String, CaseIterable, Hashable, Sendable {
  /// It goes back too, through the inverse steps; what has no place is parked.
  case keep

  /// It is dropped; the snapshot of the present store has it.
  case discard
}
