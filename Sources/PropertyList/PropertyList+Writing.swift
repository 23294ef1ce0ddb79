extension PropertyList {
  /// The binary form.
  ///
  /// A scalar is written once, dictionary keys are sorted, numbers are as short as they can be.
  ///
  /// Equal values give equal bytes, as far as their strings have the same scalars. Reading them
  /// gives this value back.
  ///
  /// - Precondition: Nested no deeper than ``deepestNesting``: nothing could read it.
  package func binary() -> [UInt8] {
    var writer = BinaryWriter()
    writer.add(self, depth: 1)
    return writer.finish()
  }
}
