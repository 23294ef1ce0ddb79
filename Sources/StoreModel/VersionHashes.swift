import JSONText
import Platform

/// The version hashes by which Core Data decides whether a store matches a model.
///
/// See `StoreFormat.md` §10. Integer widths, optionality, uniqueness and inverse names are hashed.
/// Default values, class names, renaming identifiers, indexes and delete rules aren't.
package struct VersionHashes: Hashable, Sendable {
  /// The 32-byte hash of each entity, by name.
  package let entities: [String: [UInt8]]

  package init(entities: [String: [UInt8]]) {
    self.entities = entities
  }

  /// Computes the hashes of a model; those that no formula gives are the recorded ones.
  ///
  /// - Complexity: O(*n*) in the number of properties; inherited ones count for each sub-entity.
  package init(_ model: Model) {
    var hashes: [String: [UInt8]] = [:]
    for entity in model.entities {
      hashes[entity.name] = Self.hash(of: entity, in: model, known: &hashes, depth: 0)
    }
    entities = hashes
  }

  /// The store's `NSStoreModelVersionHashesDigest`: SHA-512 of names and hashes, in Base64.
  package var digest: String {
    base64Encoded(sha512(ordered.flatMap { Array($0.key.utf8) + $0.value }))
  }

  /// The store's `NSStoreModelVersionChecksumKey`: SHA-256 of the hashes, in Base64.
  ///
  /// Staged migration compares it with `NSManagedObjectModel.versionChecksum`.
  package var checksum: String {
    base64Encoded(sha256(ordered.flatMap(\.value)))
  }

  private var ordered: [(key: String, value: [UInt8])] {
    entities.sorted { $0.key.precedes($1.key) }
  }
}

extension VersionHashes {
  private static func hash(
    of entity: Entity, in model: Model, known: inout [String: [UInt8]], depth: Int
  ) -> [UInt8] {
    if let hash = known[entity.name] ?? model.recordedHashes[entity.name] { return hash }
    var parentHash: [UInt8]?
    // A chain longer than the number of entities is a cycle: stop before it repeats.
    if let name = entity.superentityName, let parent = model[name], depth < model.entities.count {
      let hash = Self.hash(of: parent, in: model, known: &known, depth: depth + 1)
      known[name] = hash
      parentHash = hash
    }
    let chain = model.chain(from: entity.name)
    return hash(
      of: entity, parent: parentHash,
      properties: model.properties(of: entity.name).compactMap { $0.versionHash(in: chain) })
  }

  /// Returns the hash of an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity, whose own properties aren't used.
  ///   - parent: The hash of the super-entity; `nil` for a root entity.
  ///   - properties: The hashes of the declared and inherited properties, ordered by name.
  /// - Returns: The hash.
  package static func hash(
    of entity: Entity, parent: [UInt8]?, properties: [[UInt8]]
  ) -> [UInt8] {
    var bytes = Array(entity.name.utf8)
    bytes.append(entity.isAbstract ? 1 : 0)
    bytes += parent ?? []
    for hash in properties { bytes += hash }
    bytes += Array((entity.versionHashModifier ?? "").utf8)
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
    bytes += constraints.sorted { $0.precedes($1) }.flatMap { Array($0.utf8) }
    return sha256(bytes)
  }
}

extension Property {
  /// Returns the hash of the property, or `nil` if it isn't stored.
  ///
  /// `entities` are the names of the entity that has the property, and of its ancestors.
  package func versionHash(in entities: [String]) -> [UInt8]? {
    switch self {
    case .attribute(let attribute): attribute.isTransient ? nil : attribute.versionHash
    case .relationship(let relation):
      relation.isTransient ? nil : relation.versionHash(in: entities)
    case .fetched: nil
    }
  }
}

extension Attribute {
  /// The hash of the attribute; a composite's hash covers only its leaves.
  package var versionHash: [UInt8] {
    if type == .composite {
      let ordered = leaves.map(\.attribute).sorted { $0.name.precedes($1.name) }
      return sha256(ordered.flatMap(\.versionHash))
    }
    let flags: UInt32 = (isOptional ? 1 : 0) | (isTransient ? 2 : 0) | (isReadOnly ? 4 : 0)
    var bytes = propertyHash(name: name, flags: flags, modifier: versionHashModifier)
    bytes += littleEndian(type.rawValue, byteCount: 4)
    if allowsExternalStorage { bytes.append(1) }
    if isPreservedAfterDeletion { bytes.append(1) }
    return sha256(bytes)
  }
}

extension Relationship {
  /// Returns the hash of the relationship.
  ///
  /// The name of the inverse isn't hashed if the relationship is its own inverse (`StoreFormat.md`
  /// §10.1). `entities` are the names of the entity that has the relationship, and of its ancestors.
  package func versionHash(in entities: [String]) -> [UInt8] {
    let flags: UInt32 = (isOptional ? 1 : 0) | (isTransient ? 2 : 0)
    var bytes = propertyHash(name: name, flags: flags, modifier: versionHashModifier)
    bytes += Array(destinationName.utf8)
    let isOwnInverse = inverseName == name && entities.contains(destinationName)
    bytes += isOwnInverse ? [] : Array((inverseName ?? "").utf8)
    bytes += littleEndian(UInt32(truncatingIfNeeded: maxCount), byteCount: 4)
    bytes += littleEndian(UInt32(truncatingIfNeeded: minCount), byteCount: 4)
    if isOrdered { bytes += littleEndian(1, byteCount: 2) }
    return sha256(bytes)
  }
}

private func propertyHash(name: String, flags: UInt32, modifier: String?) -> [UInt8] {
  sha256(
    Array(name.utf8) + littleEndian(flags, byteCount: 2) + Array((modifier ?? "").utf8))
}

private func littleEndian(_ number: UInt32, byteCount: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  var rest = number
  while bytes.count < byteCount {
    bytes.append(UInt8(truncatingIfNeeded: rest))
    rest &>>= 8
  }
  return bytes
}
