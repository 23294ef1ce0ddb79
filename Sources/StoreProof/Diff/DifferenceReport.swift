/// Receives the rows and links that differ, with masked values.
package struct DifferenceReport {
  /// Whether fingerprints include their values, except secrets.
  package let showsValues: Bool

  /// Receives one row or link; calls come table by table, in the order of keys.
  package let tell: (Difference) throws -> Void

  package init(showsValues: Bool = false, _ tell: @escaping (Difference) throws -> Void) {
    self.showsValues = showsValues
    self.tell = tell
  }
}
