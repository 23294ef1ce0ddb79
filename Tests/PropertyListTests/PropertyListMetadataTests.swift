import PropertyList
import Testing

@Suite struct PropertyListMetadataTests {
  @Test func `the metadata of a real store are read`() throws {
    let list = try PropertyList(binary: bytes(metadata))
    #expect(
      list.dictionaryValue?.keys.sorted() == [
        "NSPersistenceFrameworkVersion", "NSStoreModelVersionChecksumKey",
        "NSStoreModelVersionHashes", "NSStoreModelVersionHashesDigest",
        "NSStoreModelVersionHashesVersion", "NSStoreModelVersionIdentifiers", "NSStoreType",
        "_NSAutoVacuumLevel",
      ])
    #expect(list["NSStoreModelVersionIdentifiers"]?[0]?.stringValue == "1.0.0")
    #expect(list["NSPersistenceFrameworkVersion"]?.integerValue == 1345)
    // StoreFormat.md §10.1 lists the hash of this entity.
    #expect(
      list["NSStoreModelVersionHashes"]?["Item"]?.dataValue
        == bytes("683a2c663d51fe60fba4165feb790087bed871d837ba64e81eb1e8836428c2a5"))
  }

  @Test func `the metadata of a real store are written as long as they were`() throws {
    let list = try PropertyList(binary: bytes(metadata))
    let written = list.binary()
    #expect(written.count == bytes(metadata).count)
    #expect(try PropertyList(binary: written) == list)
  }
}
