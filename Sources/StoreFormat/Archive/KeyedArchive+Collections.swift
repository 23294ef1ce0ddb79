import PropertyList

extension KeyedArchive {
  /// Returns whether bytes are an archived or plain property list of an empty collection.
  ///
  /// Core Data stores an empty transformable array, set or dictionary as an archive.
  ///
  /// - Complexity: O(*n*) in the number of bytes.
  package static func holdsEmptyCollection(_ bytes: [UInt8]) -> Bool {
    guard let list = try? PropertyList(binary: bytes) else { return false }
    guard let archive = try? KeyedArchive(list) else {
      return list.arrayValue?.isEmpty == true || list.dictionaryValue?.isEmpty == true
    }
    return archive.objects[archive.root]["NS.objects"]?.arrayValue?.isEmpty == true
  }
}
