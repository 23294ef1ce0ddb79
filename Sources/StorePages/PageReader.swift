import Platform

/// Reads the pages of a file that doesn't change.
///
/// Neighbours are read together: most pages follow the one that was read before.
struct PageReader: ~Copyable {
  private let file: SharedFile
  let layout: PageLayout

  /// The pages that were read together.
  private var piece: [UInt8]

  /// The offset of those pages.
  private var pieceStart: Int64 = -1

  /// The page that was read last.
  private var last: UInt32 = 0

  /// The number of pages that were read since the last check for a stop signal.
  private var count = 0

  private static let pieceSize: Int64 = 1 << 16

  /// Reads the header; returns `nil` if the file isn't a database of its size.
  ///
  /// - Throws: A ``SystemError`` if the file can't be read.
  static func open(_ file: SharedFile) throws(SystemError) -> PageReader? {
    let header = try file.descriptor.read(100, at: 0)
    let size = try file.descriptor.status().size
    guard let layout = PageLayout(header: header, fileSize: size) else { return nil }
    return PageReader(file: file, layout: layout)
  }

  private init(file: SharedFile, layout: PageLayout) {
    (self.file, self.layout) = (file, layout)
    piece = [UInt8](repeating: 0, count: Int(Self.pieceSize))
  }

  /// Reads a page, which must be in the file, into a buffer of a page's size.
  mutating func read(_ page: UInt32, into bytes: inout [UInt8]) throws(SystemError) {
    count += 1
    if count & 0xFF == 0 { try StopSignal.check() }
    let offset = Int64(page - 1) * Int64(layout.pageSize)
    let isNear = page > last && page - last <= 16 && layout.pageSize < Self.pieceSize
    last = page
    let start = offset / Self.pieceSize * Self.pieceSize
    if start != pieceStart {
      guard isNear else { return try readAlone(offset, &bytes) }
      pieceStart = -1
      _ = try file.descriptor.read(into: &piece, at: start)
      pieceStart = start
    }
    let place = Int(offset - start)
    bytes.removeAll(keepingCapacity: true)
    bytes += piece[place..<place + layout.pageSize]
  }

  private func readAlone(_ offset: Int64, _ bytes: inout [UInt8]) throws(SystemError) {
    if bytes.count != layout.pageSize { bytes = [UInt8](repeating: 0, count: layout.pageSize) }
    // The file's size was checked, so this is a whole page.
    _ = try file.descriptor.read(into: &bytes, at: offset)
  }
}
