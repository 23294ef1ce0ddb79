/// How a database file is divided into pages, by its header.
///
/// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html#the_database_header>
package struct PageLayout: Hashable, Sendable {
  /// The size of a page in bytes.
  package let pageSize: Int

  /// The number of bytes of a page that SQLite uses; the rest is reserved for extensions.
  let usableSize: Int

  /// The number of pages; the first has the number 1.
  package let pageCount: UInt32

  /// The first trunk page of the list of free pages; 0 if no page is free.
  let firstTrunk: UInt32

  /// The number of free pages.
  package let freeCount: UInt32

  /// Whether pointer maps record the parent of each page.
  let hasPointerMaps: Bool

  /// The fields that a change of rows doesn't change.
  ///
  /// They are the page size, the reserved bytes, the payload fractions, the schema format, the text
  /// encoding, the user version, the vacuum mode and the application id.
  let settings: [UInt8]

  /// Reads the first 100 bytes of a file; `nil` if they aren't a database's of this size.
  init?(header: [UInt8], fileSize: Int64) {
    guard header.count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
      return nil
    }
    let declared = header.shortNumber(at: 16)
    pageSize = declared == 1 ? 65_536 : Int(declared)
    usableSize = pageSize - Int(header[20])
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, usableSize >= 480 else { return nil }
    pageCount = header.number(at: 28)
    guard pageCount > 0, Int64(pageCount) * Int64(pageSize) == fileSize else { return nil }
    firstTrunk = header.number(at: 32)
    freeCount = header.number(at: 36)
    hasPointerMaps = header.number(at: 52) != 0
    let fields: [Range<Int>] = [16..<18, 20..<24, 44..<48, 56..<72]
    settings = fields.flatMap { header[$0] } + [hasPointerMaps ? 1 : 0]
  }

  /// The page that SQLite's locks lie on; it is never used.
  var lockPage: UInt32 { UInt32(0x4000_0000 / pageSize) + 1 }

  /// The number of pages that one page of a pointer map describes.
  private var pagesPerMap: UInt32 { UInt32(usableSize / 5) }

  /// Returns the page of the pointer map that describes a page, which must be 2 or more.
  ///
  /// It is the page itself if that is a page of the pointer map.
  func pointerMap(of page: UInt32) -> UInt32 {
    let group = (page - 2) / (pagesPerMap + 1)
    let map = group * (pagesPerMap + 1) + 2
    return map == lockPage ? map + 1 : map
  }

  /// Returns the offset of a page's entry on the page of the pointer map that describes it.
  func pointerMapOffset(of page: UInt32) -> Int { 5 * Int(page - pointerMap(of: page) - 1) }
}

extension [UInt8] {
  /// Returns the big-endian number of four bytes at a place.
  func number(at place: Int) -> UInt32 {
    UInt32(shortNumber(at: place)) << 16 | UInt32(shortNumber(at: place + 2))
  }

  /// Returns the big-endian number of two bytes at a place.
  func shortNumber(at place: Int) -> UInt16 {
    UInt16(self[place]) << 8 | UInt16(self[place + 1])
  }
}
