package import Platform

/// The number of pages of some trees, estimated from their interior pages.
///
/// Interior pages are a small part of a tree: about one of a hundred. The pages of large values are
/// estimated from some leaves.
package struct PageEstimate: Hashable, Sendable {
  /// The estimated number of pages of the trees.
  package private(set) var pages: Int64 = 0

  /// The number of pages of the file, and of those that are free.
  package let pageCount: Int64
  package let freeCount: Int64

  /// Estimates the size of trees; `nil` if the file isn't a database of its size.
  ///
  /// - Parameters:
  ///   - roots: The first pages of the trees.
  ///   - file: The file, which doesn't change.
  /// - Throws: A ``SystemError`` if the file can't be read.
  /// - Complexity: O(*n*) in the number of interior pages.
  package init?(of roots: [UInt32], in file: SharedFile) throws(SystemError) {
    guard let reader = try PageReader.open(file) else { return nil }
    pageCount = Int64(reader.layout.pageCount)
    freeCount = Int64(reader.layout.freeCount)
    var walk = InteriorWalk(file: reader)
    for root in roots { pages += try walk.pages(below: root, depth: 0) }
  }
}

/// Walks interior pages.
private struct InteriorWalk: ~Copyable {
  private var file: PageReader
  private var bytes: [UInt8] = []

  /// The depth below which a tree is damaged: SQLite allows no deeper ones.
  private static let depthLimit = 20

  /// The number of leaves below one interior page that are read.
  private static let sampleSize = 8

  init(file: consuming PageReader) { self.file = file }

  /// Returns the estimated number of pages below a page, with the page itself.
  mutating func pages(below page: UInt32, depth: Int) throws(SystemError) -> Int64 {
    guard depth < Self.depthLimit, let node = try read(page) else { return 1 }
    let children = node.links.filter { $0.overflowPages == 0 }.map { bytes.number(at: $0.place) }
    guard let first = children.first else { return 1 + node.overflowPages }
    guard let child = try read(first) else { return 1 }
    var sum: Int64 = 1 + node.overflowPages
    if !child.kind.isLeaf {
      for child in children { sum += try pages(below: child, depth: depth + 1) }
      return sum
    }
    var (sampled, found): (Int64, Int64) = (0, 0)
    for place in stride(from: 0, to: children.count, by: max(children.count / Self.sampleSize, 1)) {
      sampled += 1
      found += 1 + (try read(children[place])?.overflowPages ?? 0)
    }
    return sum + Int64(children.count) * found / sampled
  }

  private mutating func read(_ page: UInt32) throws(SystemError) -> BTreePage? {
    guard page > 0, page <= file.layout.pageCount else { return nil }
    try file.read(page, into: &bytes)
    var node = BTreePage()
    return node.read(bytes, number: page, usable: file.layout.usableSize) ? node : nil
  }
}
