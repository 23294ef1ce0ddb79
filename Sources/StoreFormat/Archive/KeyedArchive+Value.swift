package import StoreModel

extension KeyedArchive {
  /// Archives a value, like the default transformer of a transformable attribute.
  package init(value: ModelValue) {
    var builder = ArchiveBuilder()
    let root = builder.add(value)
    self = builder.archive(root: root)
  }

  /// The archived value, or `nil` if the model can't represent the root's class.
  ///
  /// Elements of such classes are missing from their collections.
  package var modelValue: ModelValue? {
    get throws(ArchiveError) {
      var budget = ArchiveBudget()
      return try budget.value(of: rootObject)
    }
  }
}
