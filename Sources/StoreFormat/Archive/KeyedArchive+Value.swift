import PropertyList
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

  /// Returns the texts of an archived array, and how many other elements it has.
  ///
  /// `nil` if the bytes aren't an archive of an array.
  package static func texts(in bytes: [UInt8]) -> (texts: [String], othersCount: Int)? {
    guard let list = try? PropertyList(binary: bytes), let archive = try? KeyedArchive(list),
      let value = try? archive.modelValue, case .array(let elements) = value
    else { return nil }
    let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return (texts, elements.count - texts.count)
  }
}
