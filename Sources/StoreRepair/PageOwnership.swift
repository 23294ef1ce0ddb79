import Platform
import StoreFormat

/// Which table each leaf of a damaged file belongs to.
///
/// Trees are walked from their roots first. A leaf below a damaged page isn't reached in this way;
/// the pointer map then names the page above it, up to the root.
///
/// # Invariants
///
/// 1. A page has at most one owner. A page that two trees reach has that which the pointer map names.
/// 2. A page that the list of free pages or the pointer map says is free has an owner only if a tree
///    reaches it.
struct PageOwnership {
  /// The number of a tree by page, from 1; 0 for a page without owner.
  private var owners: [UInt16]

  /// Whether two trees reach a page.
  private var isContested: [Bool]

  /// The trees that lack a page, or have one that another tree reaches, too.
  private var disturbed: Set<UInt16> = []

  /// Whether a page was found in the list of free pages.
  private var isFree: [Bool]
  private let pages: RawPages

  /// Whether the list of free pages has as many pages as the header says.
  private var isFreeListWhole = false

  /// The trees by the page of their root.
  private var roots: [UInt32: UInt16] = [:]

  /// Finds the owners of all pages.
  ///
  /// - Parameters:
  ///   - trees: The root of each table and index, in the order of their numbers from 1.
  ///   - pages: The pages of the file.
  /// - Throws: A `SystemError` if the file can't be read.
  /// - Complexity: O(*n*) in the number of pages, with four bytes of memory for each.
  init(of trees: [UInt32], in pages: RawPages) throws(SystemError) {
    self.pages = pages
    owners = [UInt16](repeating: 0, count: Int(pages.count) + 1)
    isFree = [Bool](repeating: false, count: Int(pages.count) + 1)
    isContested = isFree
    for (place, root) in trees.enumerated() where roots[root] == nil {
      roots[root] = UInt16(clamping: place + 1)
    }
    for (place, root) in trees.enumerated() { try walk(root, UInt16(clamping: place + 1)) }
    try findFreePages()
    try adoptOrphans()
  }

  /// Returns the tree that a page belongs to; `nil` if none is known.
  func owner(of page: UInt32) -> Int? {
    owners[Int(page)] == 0 ? nil : Int(owners[Int(page)]) - 1
  }

  private mutating func walk(_ root: UInt32, _ tree: UInt16) throws(SystemError) {
    var pending = [root]
    while let page = pending.popLast() {
      guard page >= 1, page <= pages.count else { continue }
      guard owners[Int(page)] == 0, page == root || roots[page] == nil else {
        try contest(page, for: tree)
        continue
      }
      guard let bytes = try pages.read(page) else { continue }
      owners[Int(page)] = tree
      pending += Self.children(of: bytes, isFirst: page == 1, usable: pages.usable).reversed()
    }
  }

  /// Notes that a tree reaches a page of another one, or the same twice.
  ///
  /// The page, and those below it, then have no owner by the trees.
  private mutating func contest(_ page: UInt32, for tree: UInt16) throws(SystemError) {
    let owner = owners[Int(page)]
    disturbed.insert(tree)
    guard owner != tree, roots[page] == nil else { return }
    if owner > 0 { disturbed.insert(owner) }
    var pending = [page]
    while let page = pending.popLast() {
      guard page >= 1, page <= pages.count, !isContested[Int(page)],
        owners[Int(page)] == owner, let bytes = try pages.read(page)
      else { continue }
      (owners[Int(page)], isContested[Int(page)]) = (0, true)
      pending += Self.children(of: bytes, isFirst: page == 1, usable: pages.usable)
    }
  }

  /// Whether a tree lacks a page, or has one that another tree reaches, too.
  func isDisturbed(_ tree: Int) -> Bool { disturbed.contains(UInt16(clamping: tree + 1)) }

  /// Returns the pages below an interior page, as far as they can be read.
  private static func children(of page: [UInt8], isFirst: Bool, usable: Int) -> [UInt32] {
    let start = isFirst ? 100 : 0
    guard page[start] == 5 || page[start] == 2 else { return [] }
    let count = Int(page.bigEndian(2, at: start + 3))
    var children: [UInt32] = []
    for index in 0..<count where start + 12 + 2 * index + 2 <= usable {
      // SQLite ignores the bits that would lead beyond the page.
      let place = Int(page.bigEndian(2, at: start + 12 + 2 * index)) & (page.count - 1)
      if place + 4 <= usable { children.append(UInt32(page.bigEndian(4, at: place))) }
    }
    return children + [UInt32(page.bigEndian(4, at: start + 8))]
  }

  /// Notes the pages in the list of free pages.
  ///
  /// Source: <https://www.sqlite.org/fileformat2.html#the_freelist>
  private mutating func findFreePages() throws(SystemError) {
    var trunk = pages.firstFree
    defer { isFreeListWhole = trunk == 0 && isFree.count { $0 } == pages.freeCount }
    while trunk >= 1, trunk <= pages.count, !isFree[Int(trunk)], owners[Int(trunk)] == 0,
      let bytes = try pages.read(trunk)
    {
      isFree[Int(trunk)] = true
      let count = min(Int(bytes.bigEndian(4, at: 4)), pages.usable / 4 - 2)
      for index in 0..<count {
        let page = UInt32(bytes.bigEndian(4, at: 8 + 4 * index))
        if page >= 1, page <= pages.count, owners[Int(page)] == 0 { isFree[Int(page)] = true }
      }
      trunk = UInt32(bytes.bigEndian(4, at: 0))
    }
  }

  /// Whether findings of SQLite's check of a table are about the table's own pages, as far as is known.
  ///
  /// Others are about its indexes. The check may end with a finding that names no page.
  func concerns(_ tree: Int, _ findings: [String]) -> Bool {
    let aboutPages = findings.filter { !Finding.isAboutIndex($0) }
    let named = aboutPages.flatMap { finding in
      let words = finding.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
      return words.indices.dropLast().filter { words[$0] == "page" }
        .compactMap { UInt32(words[$0 + 1]) }
    }.filter { $0 >= 1 && $0 <= pages.count }
    guard !named.isEmpty else { return !aboutPages.isEmpty }
    return named.contains { owner(of: $0).map { $0 == tree } ?? true }
  }

  /// Gives leaves of tables that no tree reaches the owner that the pointer map leads to.
  private mutating func adoptOrphans() throws(SystemError) {
    guard pages.count >= 3 else { return }
    for page in 3...pages.count where owners[Int(page)] == 0 && !isFree[Int(page)] {
      guard let bytes = try pages.read(page), bytes[0] == 13 else { continue }
      var (above, steps) = (page, 0)
      while owners[Int(above)] == 0, steps < 40 {
        steps += 1
        guard case .child(let parent) = try pages.parent(of: above), parent >= 1,
          parent <= pages.count
        else { break }
        above = parent
      }
      owners[Int(page)] = owners[Int(above)]
      if owners[Int(page)] > 0 { disturbed.insert(owners[Int(page)]) }
    }
  }

  /// A leaf of a table that no tree reaches, and that isn't in the list of free pages.
  struct Orphan {
    let page: UInt32

    /// Whether the pointer map or several trees say that the page is one of a table.
    let isNamed: Bool

    /// Whether the page may be free nevertheless, and its rows deleted ones.
    let mayBeFree: Bool
  }

  /// Returns the leaves of tables that no owner is known for.
  func orphans() throws(SystemError) -> [Orphan] {
    guard pages.count >= 3 else { return [] }
    var found: [Orphan] = []
    for page in 3...pages.count where owners[Int(page)] == 0 && !isFree[Int(page)] {
      guard let bytes = try pages.read(page), bytes[0] == 13 else { continue }
      switch try pages.parent(of: page) {
      case .child: found.append(Orphan(page: page, isNamed: true, mayBeFree: false))
      case .unknown:
        let isNamed = isContested[Int(page)]
        found.append(
          Orphan(page: page, isNamed: isNamed, mayBeFree: !isFreeListWhole && !isNamed))
      case .root, .free, .overflow: break
      }
    }
    return found
  }
}
