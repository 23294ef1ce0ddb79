/// Receives the rows and links that differ, with masked values.
package struct DifferenceReport {
  /// Masks the values.
  package let mask: ValueMask

  /// Receives one row or link; calls come table by table, in the order of keys.
  package let tell: (Difference) throws -> Void

  package init(mask: ValueMask, _ tell: @escaping (Difference) throws -> Void) {
    self.mask = mask
    self.tell = tell
  }
}
