extension PropertyList {
  /// The maximum nesting depth, the same as in Apple's parser.
  package static let deepestNesting = 512

  /// Parses a binary property list.
  ///
  /// Shared objects are parsed once, but count each time they are referred to. So a small file
  /// can't expand to an unmanageable value.
  ///
  /// - Parameters:
  ///   - bytes: The list, from `bplist00` to the end of the trailer.
  ///   - budget: The maximum number of values; each 64 bytes of strings or data count as one more.
  /// - Throws: A ``PropertyListError`` with the offset of the first error. Strings with unpaired
  ///   surrogates are errors, because they can't be written back.
  package init(binary bytes: [UInt8], budget: Int = 16_777_216) throws(PropertyListError) {
    let trailer = try BinaryTrailer(of: bytes)
    var reader = BinaryReader(bytes: bytes, trailer: trailer, budget: budget)
    self = try reader.object(trailer.topObject, depth: 1, referredAt: bytes.count - 16)
  }
}
