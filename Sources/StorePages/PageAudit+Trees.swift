import Platform

extension PageAudit {
  /// A page of a tree that is still to be read.
  private struct Step {
    let page: UInt32

    /// The page in its place in the old file; `nil` if the tree was written since.
    let old: UInt32?
  }

  /// Walks a tree, claims its pages, and compares them with the old file's.
  mutating func walk(_ tree: PageTree, as place: Int) throws(SystemError) {
    let owner = PageOwners.Owner.tree(place)
    guard try claim(tree.root, for: owner, .root, parent: 0) else { return }
    var left = [Step(page: tree.root, old: tree.oldRoot)]
    var (cells, pages): (Int64, Int64) = (0, 0)
    var isTable: Bool?
    var lastKey: Int64?
    while let step = left.popLast(), !isOver {
      try file.read(step.page, into: &page)
      guard node.read(page, number: step.page, usable: file.layout.usableSize),
        isTable ?? node.kind.isTable == node.kind.isTable,
        // As in SQLite, only a root may have no cells.
        node.cellCount > 0 || step.page == tree.root
      else {
        find("page \(step.page) of '\(tree.name)' isn't a page of a table or index")
        continue
      }
      isTable = node.kind.isTable
      if let keys = node.keys, lastKey.map({ $0 >= keys.lowerBound }) == true {
        find("page \(step.page) of '\(tree.name)' isn't in the order of its keys")
      }
      lastKey = node.keys?.upperBound ?? lastKey
      pages += 1 + node.overflowPages
      // An interior cell of a table has no row.
      if node.kind != .interiorTable { cells += Int64(node.cellCount) }
      guard try isCarried(step, tree) else { continue }
      // Children are read in order: the last one that is added is next.
      for link in node.links.reversed() {
        let next = Step(
          page: page.number(at: link.place),
          old: step.old == nil ? nil : oldPage.number(at: link.place))
        if link.overflowPages == 0 {
          if try claim(next.page, for: owner, .node, parent: step.page) { left.append(next) }
        }
      }
      try walkOverflow(step, tree, owner)
    }
    (report.cells[tree.name], report.pages[tree.name]) = (cells, pages)
  }

  /// Returns whether the page that was read is the old file's, except for the numbers of pages.
  ///
  /// A page of a tree that was written since isn't compared. The old page is read into `oldPage`.
  private mutating func isCarried(_ step: Step, _ tree: PageTree) throws(SystemError) -> Bool {
    guard let number = step.old else { return true }
    guard try readOld(number) else {
      find("'\(tree.name)' leads to page \(number) of the old file, which doesn't exist")
      return false
    }
    if !page.span.equals(oldPage.span) {
      guard oldNode.read(oldPage, number: number, usable: file.layout.usableSize),
        oldNode.links == node.links, isSame(between: node.links.map(\.place))
      else {
        find("page \(step.page) of '\(tree.name)' isn't the old file's page \(number)")
        return false
      }
    }
    report.carriedPages += 1
    return true
  }

  private mutating func readOld(_ number: UInt32) throws(SystemError) -> Bool {
    guard number > 0, number <= old?.layout.pageCount ?? 0 else { return false }
    try old?.read(number, into: &oldPage)
    return true
  }

  /// Returns whether the two pages are the same but for four bytes at each place.
  private func isSame(between places: [Int]) -> Bool {
    var start = 0
    for place in places.sorted() {
      guard start <= place else { return false }
      guard
        page.span.extracting(start..<place).equals(oldPage.span.extracting(start..<place))
      else { return false }
      start = place + 4
    }
    return page.span.extracting(droppingFirst: start)
      .equals(oldPage.span.extracting(droppingFirst: start))
  }

  /// Walks the overflow pages of the page that was read.
  private mutating func walkOverflow(
    _ step: Step, _ tree: PageTree, _ owner: PageOwners.Owner
  ) throws(SystemError) {
    let chains = node.links.filter { $0.overflowPages > 0 }.map { link in
      (
        pages: link.overflowPages, page: page.number(at: link.place), header: link.header,
        old: step.old == nil ? nil : oldPage.number(at: link.place)
      )
    }
    for chain in chains {
      var (next, old, header) = (chain.page, chain.old, chain.header)
      var parent = step.page
      for place in 0..<chain.pages {
        let kind = place == 0 ? PointerMap.Kind.firstOverflow : .laterOverflow
        guard try claim(next, for: owner, kind, parent: parent) else { return }
        try file.read(next, into: &page)
        if let number = old {
          guard try readOld(number), isSame(between: [0]) else {
            return find("page \(next) of '\(tree.name)' isn't the old file's page \(number)")
          }
          old = oldPage.number(at: 0)
          report.carriedPages += 1
        }
        if header?.read(page.span, 4..<file.layout.usableSize) == false {
          return find("page \(next) of '\(tree.name)' isn't a part of a row")
        }
        (parent, next) = (next, page.number(at: 0))
      }
      if header?.isComplete == false { find("a row of '\(tree.name)' ends in its header") }
      if next != 0 { find("a value of '\(tree.name)' has more pages than its length says") }
    }
  }
}
