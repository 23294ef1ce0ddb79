import Foundation
import OutboxCore
import OutboxStore
import Platform
import Processes

/// Creates events in a store with the library, as an app does, for `Scripts/bench-outbox`.
///
/// Arguments: the path of a store with an outbox, and the number of events.
@main struct OutboxBenchmark {
  static func main() async throws {
    let words = try commandLineWords()
    guard words.count == 2, let count = Int(words[1]) else {
      try StandardStream.error.write("Error: give the path of a store and a number of events\n")
      exit(64)
    }
    let repository = try StoreOutboxRepository.open(words[0])
    for number in 0..<count {
      try await repository.createEvent(
        eventType: .moodEntry, entityID: UUID(), userID: "benchmark", isNewRecord: true,
        metadata: nil, priority: number % 10)
    }
    await repository.close()
  }
}
