/// The number of parts that may still be read from an archive.
///
/// A shared object counts each time it is referred to. So a small archive can't expand to an
/// unmanageable model.
struct ArchiveBudget {
  /// The largest known model has about 10,000 parts.
  private var rest = 1_000_000

  mutating func spend(_ count: Int = 1) throws(ArchiveError) {
    guard count <= rest else { throw .tooLarge }
    rest -= count
  }

  /// Returns the elements of an array or a set, and counts them.
  mutating func elements(of object: ArchivedObject?) throws(ArchiveError) -> [ArchivedObject] {
    guard let object else { return [] }
    try spend(object.elementCount)
    return try object.elements
  }

  /// Returns the entries of a dictionary, and counts them.
  mutating func entries(
    of object: ArchivedObject?
  ) throws(ArchiveError) -> [(key: String, value: ArchivedObject)] {
    guard let object else { return [] }
    try spend(object.elementCount)
    return try object.entries
  }
}
