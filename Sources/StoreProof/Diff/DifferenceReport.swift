/// Where the rows and links that differ are told, and how their values are masked.
package struct DifferenceReport {
  /// What stands in for values.
  package let mask: ValueMask

  /// Takes one row or link; they come table by table, in the order of keys.
  package let tell: (Difference) throws -> Void

  package init(mask: ValueMask, _ tell: @escaping (Difference) throws -> Void) {
    self.mask = mask
    self.tell = tell
  }
}
