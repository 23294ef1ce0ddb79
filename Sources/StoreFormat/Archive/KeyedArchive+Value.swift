package import StoreModel

extension KeyedArchive {
  /// Archives one value, as the usual transformer of a transformable attribute does.
  package init(value: ModelValue) {
    var builder = ArchiveBuilder()
    let root = builder.add(value)
    self = builder.archive(root: root)
  }

  /// The value that was archived; none where the root is of a class that no value stands for.
  ///
  /// Elements of such classes are missing from their collection.
  package var modelValue: ModelValue? {
    get throws(ArchiveError) {
      var budget = ArchiveBudget()
      return try budget.value(of: rootObject)
    }
  }
}
