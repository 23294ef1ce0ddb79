import StoreFormat
import TestSupport
import Testing

/// The slow layout is right about the stores that Core Data made.
@Suite struct ReferenceLayoutTests {
  @Test(arguments: sample(12, of: CachedStore.all))
  func `a real store is as the slow layout says`(store: CachedStore) throws {
    let model = try #require(try store.description().cachedModel)
    let folder = try TemporaryDirectory()
    let path = try store.copy(into: folder)
    let isFresh = CachedStore.fresh.contains { $0.name == store.name }
    let complaints = try ReferenceCheck.complaints(of: path, model, isRewritten: isFresh)
    // The files of large values weren't published with the stores.
    #expect(complaints.filter { !$0.hasPrefix("no file ") } == [])
  }
}
