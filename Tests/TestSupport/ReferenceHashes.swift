package import Foundation
import Platform
package import StoreModel

/// The version hashes of a model by the formulas of `StoreFormat.md` §10, one after another.
package struct ReferenceHashes {
  private let model: Model

  package init(_ model: Model) { self.model = model }

  package var entities: [String: Data] {
    Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, hash(of: $0)) })
  }

  package var digest: String {
    let joined = names.map { Data($0.utf8) + (entities[$0] ?? Data()) }.reduce(Data(), +)
    return Data(sha512(Array(joined))).base64EncodedString()
  }

  package var checksum: String {
    sha(names.compactMap { entities[$0] }.reduce(Data(), +)).base64EncodedString()
  }

  private var names: [String] {
    model.entities.map(\.name).sorted {
      $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars)
    }
  }

  private func sha(_ data: Data) -> Data { Data(sha256(Array(data))) }

  private func bytes(_ number: Int, _ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  private func text(_ text: String?) -> Data { Data((text ?? "").utf8) }

  private func hash(of entity: Entity) -> Data {
    let parent = entity.superentityName.flatMap { model[$0] }
    var hashes: [String: Data] = [:]
    var owner: Entity? = entity
    while let one = owner {
      for attribute in one.attributes where !attribute.isTransient {
        hashes[attribute.name] = hash(of: attribute)
      }
      for link in one.relationships where !link.isTransient {
        hashes[link.name] = hash(of: link, in: one)
      }
      owner = one.superentityName.flatMap { model[$0] }
    }
    let properties = hashes.sorted {
      $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars)
    }
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }.sorted()
    return sha(
      text(entity.name) + bytes(entity.isAbstract ? 1 : 0, 1)
        + (parent.map(hash) ?? Data()) + properties.map(\.value).reduce(Data(), +)
        + text(entity.versionHashModifier) + text(constraints.joined()))
  }

  private func base(
    _ name: String, isOptional: Bool, isReadOnly: Bool = false, _ modifier: String?
  ) -> Data {
    sha(text(name) + bytes((isOptional ? 1 : 0) + (isReadOnly ? 4 : 0), 2) + text(modifier))
  }

  private func hash(of attribute: Attribute) -> Data {
    if attribute.type == .composite {
      return sha(
        leaves(of: attribute).sorted { $0.name < $1.name }.map(hash).reduce(Data(), +))
    }
    return sha(
      base(
        attribute.name, isOptional: attribute.isOptional, isReadOnly: attribute.isReadOnly,
        attribute.versionHashModifier)
        + bytes(Int(attribute.type.rawValue), 4)
        + (attribute.allowsExternalStorage ? bytes(1, 1) : Data())
        + (attribute.isPreservedAfterDeletion ? bytes(1, 1) : Data()))
  }

  private func leaves(of attribute: Attribute) -> [Attribute] {
    attribute.type == .composite ? attribute.elements.flatMap(leaves) : [attribute]
  }

  private func hash(of link: Relationship, in entity: Entity) -> Data {
    let isOwnInverse = link.inverseName == link.name && link.destinationName == entity.name
    return sha(
      base(link.name, isOptional: link.isOptional, link.versionHashModifier)
        + text(link.destinationName) + (isOwnInverse ? Data() : text(link.inverseName))
        + bytes(link.maxCount, 4) + bytes(link.minCount, 4)
        + (link.isOrdered ? bytes(1, 2) : Data()))
  }
}
