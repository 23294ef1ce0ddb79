extension PropertyList {
  /// Returns the binary form of the list.
  ///
  /// Each scalar is written once, dictionary keys are sorted, and numbers take the fewest bytes.
  /// Equal values give equal bytes, if their strings have the same Unicode scalars.
  ///
  /// - Precondition: The nesting depth is at most ``deepestNesting``.
  package func binary() -> [UInt8] {
    var writer = BinaryWriter()
    writer.add(self, depth: 1)
    return writer.finish()
  }
}
