// Opens a store with SwiftData as an app does, writes one event, and prints what it finds.
//
// Scripts/mac-trial compiles this file together with TrialSchema, the frozen classes of Lume V7 that
// 'outbox-migrate schema swift' writes.
#if canImport(SwiftData)
  import Foundation
  import SwiftData

  @main
  struct OpenStore {
    static func main() throws {
      let store = URL(filePath: CommandLine.arguments[1])
      let schema = Schema(versionedSchema: TrialSchema.self)
      let configuration = ModelConfiguration(schema: schema, url: store, cloudKitDatabase: .none)
      let container = try ModelContainer(for: schema, configurations: configuration)
      let context = ModelContext(container)
      for model in TrialSchema.models { print(model, try count(model, in: context)) }

      // Reads the events' metadata, and saves a change, so that the store's keys, counters and indexes
      // are used.
      let events = try context.fetch(FetchDescriptor<TrialSchema.SDOutboxEvent>())
      let metadata = events.compactMap(\.metadata)
      print("events", events.count, "with metadata", metadata.count)
      events.first?.priority += 1
      try context.save()
      print("saved")
    }

    private static func count<Model: PersistentModel>(
      _ model: Model.Type, in context: ModelContext
    ) throws -> Int {
      try context.fetchCount(FetchDescriptor<Model>())
    }
  }
#endif
