import StoreModel

extension StructureCheck {
  /// The differences between the metadata and the model cache.
  var metadataFindings: [Finding] {
    var findings: [Finding] = []
    // The reader has reported a missing row.
    if store.metadataCount > 1 {
      findings.append(
        Finding(.metadata, "Z_METADATA has \(store.metadataCount) rows and should have one"))
    }
    if store.modelCacheCount > 1 {
      findings.append(
        Finding(.modelCache, "Z_MODELCACHE has \(store.modelCacheCount) rows and should have one"))
    }
    guard let metadata = store.metadata else { return findings }
    guard let stored = metadata.hashes else {
      return findings + [Finding(.hashes, "the metadata has no entity hashes")]
    }
    return findings + hashFindings(stored, metadata)
  }

  private func hashFindings(_ stored: VersionHashes, _ metadata: StoreMetadata) -> [Finding] {
    let computed = VersionHashes(model)
    // The hash formula for derived and Codable attributes is unknown (StoreFormat.md §10.1).
    let unknown = model.recordedHashes.keys.sorted().map {
      Finding(.hashes, "the hash of '\($0)' can't be checked", about: [$0], severity: .warning)
    }
    return unknown + hashFindings(stored, computed, metadata)
  }

  private func hashFindings(
    _ stored: VersionHashes, _ computed: VersionHashes, _ metadata: StoreMetadata
  ) -> [Finding] {
    if stored == computed { return sumFindings(computed, metadata) }
    let names = Set(computed.entities.keys).union(stored.entities.keys).sorted()
    let findings = names.compactMap {
      hashFinding(of: $0, computed: computed.entities[$0], stored: stored.entities[$0])
    }
    let stale = Finding(
      .modelCache,
      "the model cache is stale: the metadata is consistent but belongs to another model")
    return findings + sumFindings(computed, metadata)
      + (metadata.isSound(with: stored) ? [stale] : [])
  }

  private func hashFinding(
    of name: String, computed: [UInt8]?, stored: [UInt8]?
  ) -> Finding? {
    guard computed != stored else { return nil }
    if computed == nil {
      return Finding(
        .hashes, "the metadata has a hash of '\(name)', which the model cache doesn't have",
        about: [name])
    }
    if stored == nil {
      return Finding(.hashes, "the metadata has no hash of '\(name)'", about: [name])
    }
    return Finding(
      .hashes, "the hash of '\(name)' in the metadata doesn't match the model cache", about: [name])
  }

  private func sumFindings(_ computed: VersionHashes, _ metadata: StoreMetadata) -> [Finding] {
    var findings: [Finding] = []
    if let digest = metadata.digest, digest != computed.digest {
      findings.append(Finding(.hashes, "the digest in the metadata doesn't match the model cache"))
    }
    if let checksum = metadata.checksum, checksum != computed.checksum {
      findings.append(
        Finding(.hashes, "the checksum in the metadata doesn't match the model cache"))
    }
    return findings
  }
}

extension StoreMetadata {
  /// Returns whether the digest or, without one, the checksum matches the metadata's hashes.
  ///
  /// Older systems write neither. The hashes can't be confirmed then.
  fileprivate func isSound(with hashes: VersionHashes) -> Bool {
    if let digest { return digest == hashes.digest }
    return checksum == hashes.checksum
  }
}
