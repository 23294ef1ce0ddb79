import Platform
import SQLite
import StoreFormat
import StoreModel
import TestSupport
import Testing

@testable import ModelSource

/// Models of public apps give the hashes of the stores that those apps wrote.
@Suite struct RealModelTests {
  private static func schema(_ path: String) throws -> SchemaFile {
    try SchemaFile(at: #require(ModelPath(path)))
  }

  private static func description(of store: String) throws -> StoreDescription {
    let path = try #require(RealStores.path(of: store))
    return try StoreDescription(reading: Connection(path: path, mode: .readOnlyUnshared))
  }

  @Test(arguments: RealModels.pairs)
  func `a model's hashes are those of its store`(pair: RealModels.Pair) throws {
    let schema = try Self.schema(pair.model)
    let store = try Self.description(of: pair.store)
    let hashes = try #require(store.metadata?.hashes)
    #expect(VersionHashes(schema.model) == hashes)
    #expect(schema.origin?.notes.filter { !$0.contains("the default 'NO'") } == [])
    let comparison = HashComparison(schema.model, hashes, cached: store.cachedModel)
    #expect(comparison.isConfirmed)
    print("\(pair.store): \(hashes.entities.count) entities have equal hashes")
  }

  /// The parts of an attribute that hashes don't cover.
  private static func unhashed(_ attribute: Attribute) -> [String] {
    var value = "\(attribute.defaultValue ?? .null)"
    // Old systems archive a Boolean as an integer.
    if case .boolean(let flag)? = attribute.defaultValue {
      value = "\(ModelValue.integer(flag ? 1 : 0))"
    }
    return [
      value, "\(attribute.isIndexed)", attribute.renamingIdentifier ?? "",
      attribute.valueTransformerName ?? "", "\(attribute.otherFlags)", "\(attribute.userInfo)",
    ]
  }

  /// The stores whose cache is of a later build of the same version, with other defaults.
  private static let otherBuilds: Set = ["carekit-SampleStore2.0"]

  @Test(arguments: RealModels.pairs)
  func `a model is that of its store's cache, attribute by attribute`(
    pair: RealModels.Pair
  ) throws {
    let model = try Self.schema(pair.model).model
    guard let cached = try Self.description(of: pair.store).cachedModel else { return }
    #expect(model.configurations == cached.configurations)
    var (attributes, equal) = (0, 0)
    for entity in model.entities {
      let other = try #require(cached[entity.name])
      #expect(entity.relationships == other.relationships)
      #expect(entity.renamingIdentifier == other.renamingIdentifier)
      #expect(entity.userInfo == other.userInfo)
      for (mine, theirs) in zip(entity.attributes, other.attributes) {
        attributes += 1
        equal += Self.unhashed(mine) == Self.unhashed(theirs) ? 1 : 0
      }
    }
    print("\(pair.store): \(equal) of \(attributes) attributes are equal")
    if !Self.otherBuilds.contains(pair.store) { #expect(equal == attributes) }
  }

  /// The stores in which Core Data repeated the indexes of an entity in its sub-entities.
  ///
  /// Framework 865 and 866 wrote them, which wrote others without. Later ones never did.
  private static let repeatedIndexes: Set = ["wire-store2-52-0", "wire-store2-67-0"]

  @Test(arguments: RealModels.pairs)
  func `a model has the indexes of its store's cache`(pair: RealModels.Pair) throws {
    let model = try Self.schema(pair.model).model
    guard let cached = try Self.description(of: pair.store).cachedModel else { return }
    var repeated = 0
    for entity in model.entities {
      let indexes = try #require(cached[entity.name]).indexes
      let more = indexes.filter { !entity.indexes.contains($0) }
      let own = indexes.enumerated().filter { position, index in
        !more.contains(index) && !indexes[..<position].contains(index)
      }
      #expect(entity.indexes == own.map(\.element))
      // The repeated ones are those of single attributes in super-entities.
      let inherited = model.chain(from: entity.name).dropFirst().flatMap {
        model[$0]?.indexes ?? []
      }
      #expect(more.allSatisfy { inherited.contains($0) && $0.elements.count == 1 })
      repeated += indexes.count - own.count
    }
    #expect((repeated > 0) == Self.repeatedIndexes.contains(pair.store))
  }

  @Test(arguments: ["SampleModel", "SampleModel2", "SampleModel3"])
  func `a compiled model has the hashes of VersionInfo and of its source`(name: String) throws {
    guard let compiled = RealModels.path(of: "SampleModel.momd"),
      let source = RealModels.path(of: "SampleModel.xcdatamodeld")
    else { return }
    let one = try Self.schema("\(compiled)#\(name)")
    let other = try Self.schema("\(source)#\(name)")
    #expect(one.origin?.notes == [])
    #expect(VersionHashes(one.model) == VersionHashes(other.model))
    #expect(one.model.versionIdentifiers == other.model.versionIdentifiers)
    let alone = try Self.schema("\(compiled)/\(name).mom")
    #expect(alone.model == one.model)
    print("\(name).mom: \(one.model.entities.count) entities have the hashes of VersionInfo.plist")
  }

  @Test func `a compiled model that isn't the one of VersionInfo is refused`() throws {
    guard let compiled = RealModels.path(of: "SampleModel.momd") else { return }
    let folder = try TemporaryDirectory()
    let bundle = folder.path("SampleModel.momd")
    try FileSystem.createDirectory(bundle)
    for (name, source) in [
      ("VersionInfo.plist", "VersionInfo.plist"), ("SampleModel.mom", "SampleModel2.mom"),
    ] {
      let bytes = try FileSystem.read("\(compiled)/\(source)", limit: 1 << 20)
      try FileSystem.create("\(bundle)/\(name)", bytes)
    }
    let error = #expect(throws: ModelSourceError.self) {
      try Self.schema("\(bundle)#SampleModel")
    }
    #expect(error?.description.contains("isn't that of 'SampleModel.mom'") == true)
  }
}
