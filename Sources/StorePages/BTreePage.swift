/// The structure of one page of a b-tree: its kind, its cells, and the pages that it leads to.
///
/// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html#b_tree_pages>
struct BTreePage {
  /// The kind of a page, by its first byte.
  enum Kind: UInt8 {
    case interiorIndex = 2
    case interiorTable = 5
    case leafIndex = 10
    case leafTable = 13

    var isTable: Bool { self == .interiorTable || self == .leafTable }
    var isLeaf: Bool { self == .leafIndex || self == .leafTable }
  }

  /// A page number on the page.
  struct Link: Hashable {
    /// Where the number is.
    let place: Int

    /// The number of overflow pages of a cell's payload; 0 for a child.
    let overflowPages: Int64

    /// The header of a row's record if it continues on the overflow pages, else `nil`.
    var header: RecordHeader?
  }

  private(set) var kind = Kind.leafTable
  private(set) var cellCount = 0
  private(set) var links: [Link] = []

  /// The keys of the first and the last row of a leaf of a table; `nil` for another page.
  private(set) var keys: ClosedRange<Int64>?

  /// The number of overflow pages that the page's cells lead to.
  var overflowPages: Int64 { links.reduce(0) { $0 + $1.overflowPages } }

  /// Reads a page of a b-tree.
  ///
  /// The rows of a table must be in the order of their keys, and each must be a record.
  ///
  /// - Parameters:
  ///   - bytes: The page.
  ///   - number: The number of the page.
  ///   - usable: The number of bytes that SQLite uses.
  /// - Returns: `false` if the page isn't one of a b-tree.
  /// - Complexity: O(*n*) in the number of cells.
  mutating func read(_ bytes: [UInt8], number: UInt32, usable: Int) -> Bool {
    // The file's header is on the first page.
    let start = number == 1 ? 100 : 0
    links.removeAll(keepingCapacity: true)
    keys = nil
    guard let kind = Kind(rawValue: bytes[start]) else { return false }
    self.kind = kind
    cellCount = Int(bytes.shortNumber(at: start + 3))
    let cells = start + (kind.isLeaf ? 8 : 12)
    guard cells + 2 * cellCount <= usable else { return false }
    let limits = PayloadLimits(kind, usable: usable)
    for index in 0..<cellCount {
      let place = Int(bytes.shortNumber(at: cells + 2 * index))
      guard place >= cells + 2 * cellCount,
        readCell(bytes.span, at: place, end: usable, limits)
      else { return false }
    }
    // The rightmost child has no cell.
    if !kind.isLeaf { links.append(Link(place: start + 8, overflowPages: 0)) }
    return true
  }

  private mutating func readCell(
    _ bytes: borrowing Span<UInt8>, at start: Int, end: Int, _ limits: PayloadLimits
  ) -> Bool {
    var place = start
    if !kind.isLeaf {
      guard place + 4 <= end else { return false }
      links.append(Link(place: place, overflowPages: 0))
      place += 4
    }
    guard let first = bytes.variableNumber(at: &place, end: end) else { return false }
    // The first number of an interior cell of a table is its key.
    if kind == .interiorTable { return true }
    if kind == .leafTable {
      guard let key = bytes.variableNumber(at: &place, end: end), follows(Int64(bitPattern: key))
      else { return false }
    }
    guard first <= UInt64(Int32.max) else { return false }
    let size = Int(first)
    let local = limits.local(size)
    guard place + local + (local < size ? 4 : 0) <= end else { return false }
    var header: RecordHeader?
    if kind == .leafTable {
      header = bytes.recordHeader(at: place, local: local, size: size)
      guard header != nil else { return false }
    }
    if local < size {
      let pages = (size - local + limits.overflowPage - 1) / limits.overflowPage
      links.append(
        Link(
          place: place + local, overflowPages: Int64(pages),
          header: header.flatMap { $0.isComplete ? nil : $0 }))
    }
    return true
  }
}

extension BTreePage {
  /// Notes the key of the next row; returns whether it is above the others.
  private mutating func follows(_ key: Int64) -> Bool {
    guard let keys else {
      self.keys = key...key
      return true
    }
    guard keys.upperBound < key else { return false }
    self.keys = keys.lowerBound...key
    return true
  }
}

/// How much of a payload is on the page of its cell.
///
/// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html#cell_payload_overflow_pages>
private struct PayloadLimits {
  private let largest: Int
  private let smallest: Int

  /// The number of bytes on an overflow page.
  let overflowPage: Int

  init(_ kind: BTreePage.Kind, usable: Int) {
    largest = kind == .leafTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    smallest = (usable - 12) * 32 / 255 - 23
    overflowPage = usable - 4
  }

  /// Returns the number of bytes of a payload on the page of its cell.
  func local(_ size: Int) -> Int {
    if size <= largest { return size }
    let fitting = smallest + (size - smallest) % overflowPage
    return fitting <= largest ? fitting : smallest
  }
}

extension Span<UInt8> {
  /// Returns the header of a payload's record, as far as it is on the page of its cell.
  ///
  /// Returns `nil` if the payload isn't a record whose values have the lengths that its header says.
  fileprivate func recordHeader(at start: Int, local: Int, size: Int) -> RecordHeader? {
    var place = start
    let end = start + local
    guard let length = variableNumber(at: &place, end: end),
      var header = RecordHeader(size: UInt64(size), header: length, length: place - start),
      header.read(self, place..<end)
    else { return nil }
    return header
  }

  /// Returns the variable-length number at a place, and moves the place behind it.
  ///
  /// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html#varint>
  fileprivate func variableNumber(at place: inout Int, end: Int) -> UInt64? {
    var number: UInt64 = 0
    for count in 1...9 {
      guard place < end else { return nil }
      let byte = self[place]
      place += 1
      if count == 9 { return number << 8 | UInt64(byte) }
      number = number << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return number }
    }
    return nil
  }
}
