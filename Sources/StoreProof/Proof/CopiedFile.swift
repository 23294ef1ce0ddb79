package import Platform
package import RowRewriting

/// A new store that was made by changing a copy of the old file.
package struct CopiedFile: Sendable {
  /// What was written, and what stays on its pages.
  package let plan: CopyPlan

  /// The old file, which has no log.
  package let old: SharedFile

  package init(plan: CopyPlan, old: SharedFile) { (self.plan, self.old) = (plan, old) }
}

/// An old file that is damaged, so that its copy can't be proven.
package struct DamagedOriginal: Error {
  package init() {}
}
