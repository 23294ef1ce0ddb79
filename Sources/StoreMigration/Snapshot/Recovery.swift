import Platform
import StoreFormat

/// What interrupted runs left beside a store, and how to finish or forget it.
struct Recovery {
  let files: StoreFiles

  /// Something that an interrupted run left.
  struct Remains: Hashable, CustomStringConvertible {
    let description: String
  }

  /// What there is; nothing is touched.
  var remains: [Remains] { [] }
}
