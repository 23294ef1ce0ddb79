package import PropertyList

/// The objects of a keyed archive, as `NSKeyedArchiver` lays them out in a property list.
///
/// An object is a scalar, or a dictionary with a `$class`; what it refers to stands as a UID, which
/// is a position in ``objects``. See `StoreFormat.md` §11.
///
/// # Invariants
///
/// 1. The first object is the text `$null`, which stands for nil.
/// 2. The root is one of the objects.
package struct KeyedArchive: Hashable, Sendable {
  /// The text that stands for nil.
  static let null = PropertyList.string("$null")

  /// All objects, in the order of the archive.
  package let objects: [PropertyList]

  /// The position of the object that was archived.
  package let root: Int

  init(objects: [PropertyList], root: Int) {
    precondition(objects.first == Self.null, "(1) the first object stands for nil")
    precondition(objects.indices.contains(root), "(2) the root is one of the objects")
    self.objects = objects
    self.root = root
  }

  /// Reads an archive from its property list.
  ///
  /// References inside of objects are checked when they are followed.
  package init(_ list: PropertyList) throws(ArchiveError) {
    guard list["$archiver"]?.stringValue == "NSKeyedArchiver" else {
      throw .notAnArchive("'$archiver' isn't NSKeyedArchiver")
    }
    guard list["$version"]?.integerValue == 100_000 else {
      throw .notAnArchive("'$version' isn't 100000")
    }
    guard let objects = list["$objects"]?.arrayValue, objects.first == Self.null else {
      throw .notAnArchive("'$objects' doesn't begin with $null")
    }
    guard let root = list["$top"]?["root"]?.uidValue else {
      throw .notAnArchive("'$top' has no root")
    }
    guard root < UInt64(objects.count) else { throw .reference(root, of: objects.count) }
    self.objects = objects
    self.root = Int(root)
  }

  /// The archive as a property list, which has a binary form.
  package var propertyList: PropertyList {
    .dictionary([
      "$archiver": .string("NSKeyedArchiver"),
      "$version": .integer(100_000),
      "$top": .dictionary(["root": .uid(UInt64(root))]),
      "$objects": .array(objects),
    ])
  }
}
