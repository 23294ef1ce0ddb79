import Platform

/// The bytes of a database file outside of its cells, where deleted rows would be.
///
/// A result must have nothing there: no free pages, and zeros between the cells of a page and after
/// the last bytes of a large value.
///
/// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html#b_tree_pages>
struct PageSlack {
  private let file: SharedFile
  private let pageSize: Int
  private let pageCount: Int
  private let isVacuuming: Bool

  /// Whether bytes that aren't zero are set to it, instead of counted.
  private let clears: Bool

  private var isUsed: [Bool]

  /// The number of pages with something outside of their cells, or that belong to nothing.
  private(set) var findings = 0

  /// Reads the header, which must have no free pages.
  init(_ path: String, clears: Bool) throws {
    file = SharedFile(try FileDescriptor(opening: path, for: clears ? .updating : .reading))
    self.clears = clears
    let header = try file.descriptor.read(100, at: 0)
    let size = Int(try file.descriptor.status().size)
    guard header.count == 100 else { throw AnonymisingError.hasLog(path) }
    let declared = Int(header[16]) << 8 | Int(header[17])
    pageSize = declared == 1 ? 65_536 : max(declared, 512)
    pageCount = size / pageSize
    isVacuuming = header[52..<56].contains { $0 != 0 }
    isUsed = [Bool](repeating: false, count: pageCount)
    // Reserved bytes, free pages, the cache's size, the app's own numbers, and the bytes up to 92
    // that have no meaning. The number at 64 is 1 for a file that is vacuumed step by step.
    let others = [20..<21, 32..<40, 48..<52, 60..<67, 68..<92].flatMap { header[$0] }
    let isPlain = others.allSatisfy { $0 == 0 } && header[67] <= 1 && size % pageSize == 0
    if !isPlain { findings += 1 }
  }

  /// Walks the trees of all tables and indexes, from their first pages.
  ///
  /// - Complexity: O(*n*) in the number of pages.
  mutating func walk(_ roots: [Int64]) throws {
    var pages = [1] + roots.map { Int($0) }
    while let page = pages.popLast() {
      guard claim(page) else { continue }
      try StopSignal.check()
      var bytes = try read(page)
      try walkPage(page, &bytes, &pages)
    }
    for page in 1...max(1, pageCount) where page <= pageCount && !isUsed[page - 1] {
      if !isPointerMap(page) && !isLockPage(page) { findings += 1 }
    }
  }

  private func read(_ page: Int) throws -> [UInt8] {
    try file.descriptor.read(pageSize, at: Int64(page - 1) * Int64(pageSize))
  }

  private mutating func claim(_ page: Int) -> Bool {
    guard page >= 1, page <= pageCount, !isUsed[page - 1] else {
      findings += 1
      return false
    }
    isUsed[page - 1] = true
    return true
  }

  private func isPointerMap(_ page: Int) -> Bool {
    isVacuuming && page >= 2 && (page - 2) % (pageSize / 5 + 1) == 0
  }

  private func isLockPage(_ page: Int) -> Bool { page == 0x4000_0000 / pageSize + 1 }

  private mutating func walkPage(
    _ page: Int, _ bytes: inout [UInt8], _ pages: inout [Int]
  ) throws {
    let start = page == 1 ? 100 : 0
    let kind = bytes[start]
    guard [2, 5, 10, 13].contains(kind) else {
      findings += 1
      return
    }
    let header = kind < 8 ? 12 : 8
    let count = bytes.short(start + 3)
    guard start + header + 2 * count <= pageSize else {
      findings += 1
      return
    }
    var isCell = [Bool](repeating: false, count: pageSize)
    for place in 0..<start + header + 2 * count { isCell[place] = true }
    for index in 0..<count {
      let place = bytes.short(start + header + 2 * index)
      guard let cell = PageCell(bytes, at: place, kind: kind) else {
        findings += 1
        return
      }
      for place in place..<place + cell.length { isCell[place] = true }
      if let child = cell.child { pages.append(child) }
      if let first = cell.overflow { try walkOverflow(first, rest: cell.rest) }
    }
    if kind < 8 { pages.append(bytes.long(start + 8)) }
    bytes.markFreeBlocks(from: bytes.short(start + 1), in: &isCell)
    try clear(page, &bytes) { !isCell[$0] }
  }

  /// Follows the pages of a large value, whose last one has zeros after it.
  private mutating func walkOverflow(_ first: Int, rest: Int) throws {
    var (page, rest) = (first, rest)
    while rest > 0 {
      guard claim(page) else { return }
      var bytes = try read(page)
      let used = min(rest, pageSize - 4)
      rest -= used
      try clear(page, &bytes) { $0 >= 4 + used }
      page = bytes.long(0)
    }
  }

  private mutating func clear(
    _ page: Int, _ bytes: inout [UInt8], where isSlack: (Int) -> Bool
  ) throws {
    var hasChanged = false
    for place in bytes.indices where bytes[place] != 0 && isSlack(place) {
      bytes[place] = 0
      hasChanged = true
    }
    guard hasChanged else { return }
    if clears {
      try file.descriptor.write(bytes, at: Int64(page - 1) * Int64(pageSize))
    } else {
      findings += 1
    }
  }

  /// Writes what was cleared to the disk.
  func synchronize() throws { try file.descriptor.synchronize() }
}

/// How far a cell reaches on its page, and where it leads.
private struct PageCell {
  private(set) var length = 0
  private(set) var child: Int?
  private(set) var overflow: Int?

  /// The number of bytes on overflow pages.
  private(set) var rest = 0

  init?(_ bytes: [UInt8], at start: Int, kind: UInt8) {
    var place = start
    if kind < 8 {
      guard place + 4 <= bytes.count else { return nil }
      child = bytes.long(place)
      place += 4
    }
    guard let first = bytes.variable(&place) else { return nil }
    if kind == 5 {
      length = place - start
      return
    }
    if kind == 13, bytes.variable(&place) == nil { return nil }
    guard first <= 0x7FFF_FFFF else { return nil }
    let (size, usable) = (Int(first), bytes.count)
    let largest = kind == 13 ? usable - 35 : (usable - 12) * 64 / 255 - 23
    let smallest = (usable - 12) * 32 / 255 - 23
    var local = size
    if size > largest {
      let fitting = smallest + (size - smallest) % (usable - 4)
      local = fitting <= largest ? fitting : smallest
    }
    place += local
    if local < size {
      guard place + 4 <= usable else { return nil }
      overflow = bytes.long(place)
      rest = size - local
      place += 4
    }
    // A cell has at least four bytes, so that it can become a free block.
    length = max(4, place - start)
    guard start + length <= usable else { return nil }
  }
}

extension [UInt8] {
  fileprivate func short(_ place: Int) -> Int { Int(self[place]) << 8 | Int(self[place + 1]) }

  fileprivate func long(_ place: Int) -> Int { short(place) << 16 | short(place + 2) }

  /// Returns the variable-length number at a place, and moves the place behind it.
  fileprivate func variable(_ place: inout Int) -> UInt64? {
    var number: UInt64 = 0
    for index in 1...9 {
      guard place < count else { return nil }
      let byte = self[place]
      place += 1
      if index == 9 { return number << 8 | UInt64(byte) }
      number = number << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return number }
    }
    return nil
  }

  /// Marks the four bytes at the beginning of each free block.
  fileprivate func markFreeBlocks(from first: Int, in isUsed: inout [Bool]) {
    var block = first
    while block > 0, block + 4 <= count, !isUsed[block] {
      for place in block..<block + 4 { isUsed[place] = true }
      block = short(block)
    }
  }
}
