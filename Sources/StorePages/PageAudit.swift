package import Platform

/// Accounts for every page of a database file, and compares trees with those of an older file.
///
/// Each page must belong to exactly one owner: a table or index, the list of free pages, or a
/// pointer map. The trees are walked as SQLite walks them, from their roots, with the overflow pages
/// of large values. A tree of the older file must have the same pages here, byte for byte, in the
/// same places of the tree. Only the numbers of pages may differ, because SQLite moves pages in
/// files with pointer maps.
///
/// What SQLite reads of such a tree is therefore the same in both files. What lies on a page that
/// belongs to another tree isn't checked.
///
/// Related SQLite documentation: <https://www.sqlite.org/fileformat2.html>
package struct PageAudit: ~Copyable {
  var file: PageReader
  var old: PageReader?
  let trees: [PageTree]
  var owners: PageOwners
  private var map: PointerMap
  var report = PageReport()

  /// Buffers for pages, which would take time to make for each page.
  var page: [UInt8] = []
  var oldPage: [UInt8] = []
  var node = BTreePage()
  var oldNode = BTreePage()

  /// Reads a file and returns what its pages show.
  ///
  /// - Parameters:
  ///   - file: The file, which doesn't change.
  ///   - old: The older file, which doesn't change either; `nil` if no tree has an old root.
  ///   - trees: All tables and indexes of the file, without `sqlite_schema`, which is on page 1.
  /// - Returns: The cells of each tree, and the findings.
  /// - Throws: A ``SystemError`` if a file can't be read.
  /// - Complexity: O(*n*) in the number of pages that belong to trees.
  package static func report(
    on file: SharedFile, comparedWith old: SharedFile? = nil, trees: [PageTree]
  ) throws(SystemError) -> PageReport {
    guard let reader = try PageReader.open(file), trees.count < PageOwners.treeLimit else {
      var report = PageReport()
      report.findings = ["the header isn't that of a database of this size"]
      return report
    }
    let oldReader: PageReader? = if let old { try PageReader.open(old) } else { nil }
    var audit = PageAudit(reader, PointerMap(file), oldReader, trees)
    try audit.run()
    return audit.report
  }

  private init(
    _ file: consuming PageReader, _ map: PointerMap, _ old: consuming PageReader?,
    _ trees: [PageTree]
  ) {
    // The schema is always written: it has no old root.
    self.trees = [PageTree(name: "sqlite_schema", root: 1)] + trees
    owners = PageOwners(pageCount: file.layout.pageCount)
    self.map = map
    self.file = file
    self.old = old
  }

  private mutating func run() throws(SystemError) {
    if let layout = old?.layout, layout.settings != file.layout.settings {
      find("the header has other settings than the old file's")
    }
    reserve()
    try walkFreeList()
    for place in trees.indices { try walk(trees[place], as: place) }
    // A walk that ended early leaves pages without an owner.
    guard report.findings.isEmpty else { return }
    for page in 1...file.layout.pageCount where owners[page] == nil {
      find("page \(page) belongs to nothing")
    }
  }

  /// Claims the pages whose place is determined by the size of the file.
  private mutating func reserve() {
    let layout = file.layout
    if layout.lockPage <= layout.pageCount { _ = owners.claim(layout.lockPage, for: .lock) }
    guard layout.hasPointerMaps, layout.pageCount > 1 else { return }
    for page in 2...layout.pageCount where layout.pointerMap(of: page) == page {
      _ = owners.claim(page, for: .pointerMap)
    }
  }

  /// Adds a finding, unless there are enough.
  mutating func find(_ message: String) {
    if report.findings.count < PageReport.findingLimit { report.findings.append(message) }
  }

  /// Whether there are so many findings that the rest needn't be read.
  var isOver: Bool { report.findings.count >= PageReport.findingLimit }
}

// MARK: - Owners

extension PageAudit {
  /// Gives a page to an owner; returns `false`, with a finding, if it can't belong to it.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - owner: The owner.
  ///   - kind: What the pointer map should say about the page.
  ///   - parent: The page that leads to it, or 0 if the pointer map should have no parent.
  /// - Returns: Whether the page is now the owner's.
  /// - Throws: A ``SystemError`` if the pointer map can't be read.
  mutating func claim(
    _ page: UInt32, for owner: PageOwners.Owner, _ kind: PointerMap.Kind, parent: UInt32
  ) throws(SystemError) -> Bool {
    guard page > 0, page <= file.layout.pageCount else {
      find("\(name(of: owner)) leads to page \(page), which doesn't exist")
      return false
    }
    if let other = owners.claim(page, for: owner) {
      find("page \(page) belongs to \(name(of: other)) and to \(name(of: owner))")
      return false
    }
    if file.layout.hasPointerMaps, page > 1,
      try map.entry(of: page, file.layout) != PointerMap.Entry(kind: kind.rawValue, parent: parent)
    {
      find("the pointer map has another entry for page \(page) of \(name(of: owner))")
    }
    return true
  }

  func name(of owner: PageOwners.Owner) -> String {
    switch owner {
    case .tree(let place): "'\(trees[place].name)'"
    case .freeList: "the list of free pages"
    case .pointerMap: "the pointer map"
    case .lock: "SQLite's locks"
    }
  }
}

// MARK: - Free pages

extension PageAudit {
  private mutating func walkFreeList() throws(SystemError) {
    let layout = file.layout
    var trunk = layout.firstTrunk
    var count: UInt32 = 0
    while trunk != 0 {
      guard try claim(trunk, for: .freeList, .free, parent: 0) else { return }
      try file.read(trunk, into: &page)
      let leaves = Int(page.number(at: 4))
      guard leaves <= layout.usableSize / 4 - 2 else {
        return find("page \(trunk) of the list of free pages has too many entries")
      }
      for place in 0..<leaves {
        let leaf = page.number(at: 8 + 4 * place)
        guard try claim(leaf, for: .freeList, .free, parent: 0) else { return }
      }
      count += UInt32(leaves) + 1
      trunk = page.number(at: 0)
    }
    if count != layout.freeCount {
      find("the list of free pages has \(count) pages, not \(layout.freeCount)")
    }
  }
}
