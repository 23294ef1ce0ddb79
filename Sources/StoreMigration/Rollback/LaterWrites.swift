/// How a rollback treats what was written to a store since it was migrated.
public enum LaterWrites: String, CaseIterable, Hashable, Sendable {
  /// The inverse steps migrate it; what the old version has no place for is parked.
  case keep

  /// It is discarded; the snapshot of the present store keeps it.
  case discard
}
