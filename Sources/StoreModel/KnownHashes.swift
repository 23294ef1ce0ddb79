import Platform

/// The hashes of a model for people and scripts; those that no formula gives are missing.
package struct KnownHashes {
  /// The checksums of all hashes; `nil` if a hash is missing.
  package let digest: String?
  package let checksum: String?

  private let hashes: VersionHashes
  private let unknown: [String: [String]]

  package init(_ model: Model) {
    hashes = VersionHashes(model)
    unknown = Dictionary(
      uniqueKeysWithValues: model.entitiesWithoutHash.map { name in
        (name, model.unsupportedFeatures(of: name).map(\.description))
      })
    digest = unknown.isEmpty ? hashes.digest : nil
    checksum = unknown.isEmpty ? hashes.checksum : nil
  }

  /// Returns the hash of an entity in hexadecimal; `nil` if it isn't known.
  package func hash(of name: String) -> String? {
    unknown[name] == nil ? Hexadecimal.encode(hashes.entities[name] ?? []) : nil
  }

  /// Returns the hash of an entity, or why it isn't known.
  package func line(of name: String) -> String {
    hash(of: name) ?? "unknown: \(unknown[name]?.joined(separator: ", ") ?? "")"
  }
}
