import PropertyList
import StoreFormat
import StoreModel
import Testing

@Suite struct ModelCacheTests {
  @Test(arguments: CachedStore.all)
  func `a real model is the same after it was written and read`(store: CachedStore) throws {
    guard let cache = try store.cache() else { return }
    let model = try ModelCache.decode(cache)
    #expect(!model.entities.isEmpty)
    if let feature = model.unsupportedFeatures.first {
      #expect(throws: ArchiveError.unsupported(feature)) { try ModelCache.encode(model) }
    } else {
      #expect(try ModelCache.decode(ModelCache.encode(model)) == model)
    }
  }

  @Test(arguments: CachedStore.all)
  func `a real model has the hashes of its store`(store: CachedStore) throws {
    guard let cache = try store.cache(), let metadata = try store.metadata() else { return }
    var model = try ModelCache.decode(cache)
    let list = try PropertyList(binary: metadata)
    let hashes = list["NSStoreModelVersionHashes"]?.dictionaryValue?.compactMapValues(\.dataValue)
    // No formula gives the hash of a derived attribute.
    if let hashes { model.record(VersionHashes(entities: hashes)) }
    #expect(VersionHashes(model).entities == hashes)
    let identifiers = list["NSStoreModelVersionIdentifiers"]?.arrayValue?.compactMap(\.stringValue)
    #expect(model.versionIdentifiers == identifiers?.sorted())
  }

  @Test(arguments: CachedStore.swiftData)
  func `an archive for SwiftData has the objects, keys and values of the real one`(
    store: CachedStore
  ) throws {
    let cache = try #require(try store.cache())
    let archive = try ModelCache.archive(cache)
    let written = try KeyedArchive(Model(archive))
    let difference = ArchiveDifference(archive, written)
    #expect(difference.onlyLeft == [])
    #expect(difference.onlyRight == [])
    #expect(written.objects.count == archive.objects.count)
  }

  @Test(arguments: CachedStore.swiftData)
  func `a comparison of archives finds one changed value`(store: CachedStore) throws {
    let cache = try #require(try store.cache())
    let archive = try ModelCache.archive(cache)
    var list = archive.propertyList
    let texts = archive.objects.indices.filter { archive.objects[$0] == .string("default") }
    let index = try #require(texts.first)
    guard case .dictionary(var entries) = list, var objects = list["$objects"]?.arrayValue else {
      return
    }
    objects[index] = .string("other")
    entries["$objects"] = .array(objects)
    list = .dictionary(entries)
    #expect(!ArchiveDifference(archive, try KeyedArchive(list)).isEmpty)
  }

  @Test(arguments: CachedStore.swiftData)
  func `real archives are told from those of Xcode's models`(store: CachedStore) throws {
    let cache = try #require(try store.cache())
    let isOld = store.name.hasPrefix("resourcesmanager")
    #expect(try ModelCache.decode(cache).dialect == (isOld ? .swiftData17 : .swiftData))
  }
}
