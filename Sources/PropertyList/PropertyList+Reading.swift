extension PropertyList {
  /// How deep lists may be nested, which is where Apple's own reader stops, too.
  package static let deepestNesting = 512

  /// Reads a binary property list.
  ///
  /// Objects that are shared are read once, but count as often as they are referred to, so that a
  /// small file can't unfold to a value that nobody could walk.
  ///
  /// - Parameters:
  ///   - bytes: The whole list, from `bplist00` to the end of the trailer.
  ///   - budget: How many values it may unfold to; 64 bytes of text or data count as one more.
  /// - Throws: ``PropertyListError``, with the first byte that isn't as it must be. Text with
  ///   unpaired surrogates is refused, because it couldn't be written back.
  package init(binary bytes: [UInt8], budget: Int = 16_777_216) throws(PropertyListError) {
    let trailer = try BinaryTrailer(of: bytes)
    var reader = BinaryReader(bytes: bytes, trailer: trailer, budget: budget)
    self = try reader.object(trailer.topObject, depth: 1, referredAt: bytes.count - 16)
  }
}
