package import PropertyList

/// A keyed archive: the objects that `NSKeyedArchiver` stores in a property list.
///
/// An object is a scalar, or a dictionary with a `$class`. References are UIDs: indices in
/// ``objects``. See `StoreFormat.md` §11.
///
/// # Invariants
///
/// 1. The first object is the text `$null`, which represents `nil`.
/// 2. The root is the index of an object.
package struct KeyedArchive: Hashable, Sendable {
  /// The text that represents `nil`.
  static let null = PropertyList.string("$null")

  /// The objects, in archive order.
  package let objects: [PropertyList]

  /// The index of the root object.
  package let root: Int

  package init(objects: [PropertyList], root: Int) {
    precondition(objects.first == Self.null, "(1) the first object represents nil")
    precondition(objects.indices.contains(root), "(2) the root is the index of an object")
    self.objects = objects
    self.root = root
  }

  /// Reads an archive from its property list.
  ///
  /// References between objects are checked when they are followed.
  package init(_ list: PropertyList) throws(ArchiveError) {
    guard list["$archiver"]?.stringValue == "NSKeyedArchiver" else {
      throw .notAnArchive("'$archiver' isn't NSKeyedArchiver")
    }
    guard list["$version"]?.integerValue == 100_000 else {
      throw .notAnArchive("'$version' isn't 100000")
    }
    guard let objects = list["$objects"]?.arrayValue, objects.first == Self.null else {
      throw .notAnArchive("'$objects' doesn't start with $null")
    }
    guard let root = list["$top"]?["root"]?.uidValue else {
      throw .notAnArchive("'$top' has no root")
    }
    guard root < UInt64(objects.count) else { throw .reference(root, of: objects.count) }
    self.objects = objects
    self.root = Int(root)
  }

  /// The archive as a property list.
  package var propertyList: PropertyList {
    .dictionary([
      "$archiver": .string("NSKeyedArchiver"),
      "$version": .integer(100_000),
      "$top": .dictionary(["root": .uid(UInt64(root))]),
      "$objects": .array(objects),
    ])
  }
}
