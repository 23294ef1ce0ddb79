import Platform
import StoreAccess
import StoreFormat

/// The pages of a store as SQLite reads them, without interpreting any: the log's before the file's.
struct RawPages {
  private let main: SharedFile
  private let log: LogPages?

  /// The size of a page, and the number of its bytes that SQLite uses.
  let size: Int
  let usable: Int

  /// The number of pages; the first has the number 1.
  let count: UInt32

  /// The first page of the list of free pages; 0 if no page is free.
  let firstFree: UInt32

  /// The number of free pages, as the header has it.
  let freeCount: Int

  /// Whether pointer maps record the parent of each page.
  let hasPointerMaps: Bool

  /// Reads the header; `nil` if it isn't a database's.
  ///
  /// - Throws: A `SystemError` if the file can't be read.
  init?(of main: SharedFile, _ files: StoreFiles) throws(SystemError) {
    let log = try LogPages(of: files)
    let header: [UInt8]
    if let log, let place = log.places[1] {
      header = try log.file.descriptor.read(100, at: place)
    } else {
      header = try main.descriptor.read(100, at: 0)
    }
    guard header.count == 100 else { return nil }
    let declared = Int(header.bigEndian(2, at: 16))
    size = declared == 1 ? 65_536 : declared
    guard size >= 512, size & (size - 1) == 0 else { return nil }
    usable = size - Int(header[20])
    let inFile = UInt32(clamping: try main.descriptor.status().size / Int64(size))
    // The header's count of pages may be one of the damaged bytes.
    count = log?.pageCount ?? inFile
    firstFree = UInt32(header.bigEndian(4, at: 32))
    freeCount = Int(header.bigEndian(4, at: 36))
    hasPointerMaps = header.bigEndian(4, at: 52) != 0
    guard usable >= 480 else { return nil }
    (self.main, self.log) = (main, log)
  }

  /// Reads a page; `nil` if it isn't in the file.
  func read(_ page: UInt32) throws(SystemError) -> [UInt8]? {
    guard page >= 1, page <= count else { return nil }
    try StopSignal.check()
    let bytes: [UInt8]
    if let log, let place = log.places[page] {
      bytes = try log.file.descriptor.read(size, at: place)
    } else {
      bytes = try main.descriptor.read(size, at: Int64(page - 1) * Int64(size))
    }
    return bytes.count == size ? bytes : nil
  }

  /// What the pointer map says about a page.
  enum Parent: Equatable {
    case root
    case free

    /// A page of a tree, below another.
    case child(UInt32)
    case overflow
    case unknown
  }

  /// Returns what the pointer map says about a page.
  ///
  /// Source: <https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages>
  func parent(of page: UInt32) throws(SystemError) -> Parent {
    guard hasPointerMaps, page > 2 else { return .unknown }
    let perMap = UInt32(usable / 5)
    let lockPage = UInt32(0x4000_0000 / size) + 1
    var map = (page - 2) / (perMap + 1) * (perMap + 1) + 2
    if map == lockPage { map += 1 }
    guard page > map, let bytes = try read(map) else { return .unknown }
    let place = 5 * Int(page - map - 1)
    guard place + 5 <= usable else { return .unknown }
    switch bytes[place] {
    case 1: return .root
    case 2: return .free
    case 3, 4: return .overflow
    case 5: return .child(UInt32(bytes.bigEndian(4, at: place + 1)))
    default: return .unknown
    }
  }
}

extension RawPages {
  /// Returns the bytes of a cell's record on overflow pages, as far as they can be read, and the pages.
  func overflow(
    of cell: LeafCell, _ ownership: PageOwnership
  ) throws -> (bytes: [UInt8], pages: Set<UInt32>) {
    var (bytes, page, seen) = ([UInt8](), cell.overflow, Set<UInt32>())
    let needed = cell.size - cell.local.count
    while bytes.count < needed, page >= 2, page <= count, ownership.owner(of: page) == nil,
      seen.insert(page).inserted, let content = try read(page)
    {
      bytes += content[4..<usable].prefix(needed - bytes.count)
      page = UInt32(content.bigEndian(4, at: 0))
    }
    return (bytes, seen)
  }
}

extension [UInt8] {
  /// Returns the unsigned big-endian number of some bytes at a place, which must be in the array.
  func bigEndian(_ count: Int, at place: Int) -> UInt64 {
    self[place..<place + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns the variable-length number at a place, and moves the place behind it.
  ///
  /// Source: <https://www.sqlite.org/fileformat2.html#varint>
  func variableNumber(at place: inout Int, end: Int) -> UInt64? {
    var number: UInt64 = 0
    for byteCount in 1...9 {
      guard place < end, place < count else { return nil }
      let byte = self[place]
      place += 1
      if byteCount == 9 { return number << 8 | UInt64(byte) }
      number = number << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return number }
    }
    return nil
  }
}
