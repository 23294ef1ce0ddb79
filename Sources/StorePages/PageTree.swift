/// A table or an index of a database file.
package struct PageTree: Hashable, Sendable {
  /// The name, for findings.
  package let name: String

  /// The number of its first page.
  package let root: UInt32

  /// The number of its first page in the old file; `nil` if it was written since.
  package let oldRoot: UInt32?

  package init(name: String, root: UInt32, oldRoot: UInt32? = nil) {
    (self.name, self.root, self.oldRoot) = (name, root, oldRoot)
  }
}

/// What the pages of a file show.
package struct PageReport: Hashable, Sendable {
  /// The number of cells of each tree: the rows of a table, the entries of an index.
  package internal(set) var cells: [String: Int64] = [:]

  /// The number of pages of each tree, with those of large values.
  package internal(set) var pages: [String: Int64] = [:]

  /// The number of pages that are the old file's.
  package internal(set) var carriedPages: Int64 = 0

  /// Why the file isn't what it should be, without values; empty if it is.
  package internal(set) var findings: [String] = []

  /// The maximum number of findings: one is enough to fail, a few more show a pattern.
  static let findingLimit = 10
}
