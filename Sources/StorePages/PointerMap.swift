import Platform

/// Reads the pointer maps of a file, which record what leads to each page.
///
/// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages>
struct PointerMap {
  /// What a page is.
  enum Kind: UInt8 {
    case root = 1
    case free = 2
    case firstOverflow = 3
    case laterOverflow = 4
    case node = 5
  }

  /// The entry of a page.
  struct Entry: Hashable {
    let kind: UInt8
    let parent: UInt32
  }

  private let file: SharedFile

  /// The page of the map that was read last.
  private var number: UInt32 = 0
  private var page: [UInt8] = []

  init(_ file: SharedFile) { self.file = file }

  /// Returns the entry of a page, which isn't the first page nor one of the map.
  mutating func entry(of page: UInt32, _ layout: PageLayout) throws(SystemError) -> Entry {
    let map = layout.pointerMap(of: page)
    if map != number {
      number = 0
      self.page = try file.descriptor.read(
        layout.pageSize, at: Int64(map - 1) * Int64(layout.pageSize))
      number = map
    }
    let place = layout.pointerMapOffset(of: page)
    guard place + 5 <= self.page.count else { return Entry(kind: 0, parent: 0) }
    return Entry(kind: self.page[place], parent: self.page.number(at: place + 1))
  }
}
