import PropertyList
import StoreFormat
import Testing

/// The objects of an archive that a test changes.
struct ArchiveEditor {
  var objects: [PropertyList]
  let root: Int

  init(_ archive: KeyedArchive) {
    objects = archive.objects
    root = archive.root
  }

  /// The changed archive, read again.
  func archive() throws -> KeyedArchive {
    try KeyedArchive(
      .dictionary([
        "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
        "$top": .dictionary(["root": .uid(UInt64(root))]), "$objects": .array(objects),
      ]))
  }

  /// Adds an object, and returns a reference to it.
  mutating func add(_ object: PropertyList) -> PropertyList {
    objects.append(object)
    return .uid(UInt64(objects.count - 1))
  }

  mutating func addClass(_ names: String...) -> PropertyList {
    add(
      .dictionary([
        "$classname": .string(names[0]), "$classes": .array(names.map { .string($0) }),
      ]))
  }

  /// Returns the index of the object with this name under a key.
  func number(_ key: String, _ name: String) throws -> Int {
    let number = objects.firstIndex { object in
      guard let reference = object[key]?.uidValue else { return false }
      return objects[Int(reference)].stringValue == name
    }
    return try #require(number)
  }

  /// Sets a member of an object, or removes it if the value is `nil`.
  mutating func set(_ number: Int, _ key: String, _ value: PropertyList?) throws {
    var members = try #require(objects[number].dictionaryValue)
    members[key] = value
    objects[number] = .dictionary(members)
  }
}
