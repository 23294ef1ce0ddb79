/// How many more parts may be read out of an archive.
///
/// An object that is shared counts as often as it is referred to, so a small archive can't unfold to
/// a model that nobody could hold.
struct ArchiveBudget {
  /// The largest real model that was met has about ten thousand parts.
  private var rest = 1_000_000

  mutating func spend(_ count: Int = 1) throws(ArchiveError) {
    guard count <= rest else { throw .tooLarge }
    rest -= count
  }

  /// The elements of an array or a set, each counted.
  mutating func elements(of object: ArchivedObject?) throws(ArchiveError) -> [ArchivedObject] {
    guard let object else { return [] }
    try spend(object.elementCount)
    return try object.elements
  }

  /// The keys and values of a dictionary, each counted.
  mutating func entries(
    of object: ArchivedObject?
  ) throws(ArchiveError) -> [(key: String, value: ArchivedObject)] {
    guard let object else { return [] }
    try spend(object.elementCount)
    return try object.entries
  }
}
