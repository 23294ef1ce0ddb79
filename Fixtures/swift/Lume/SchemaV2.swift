import Foundation
import SwiftData

/// The models of Lume V2, without initialisers.
enum SchemaV2: VersionedSchema {
  static var versionIdentifier = Schema.Version(2, 0, 0)

  static var models: [any PersistentModel.Type] {
    [
      SDJournalEntry.self, SDMoodEntry.self, SDOutboxEvent.self, SDStatistics.self,
    ]
  }

  @Model final class SDJournalEntry {
    var backendId: String?
    var content: String
    var createdAt: Date
    var date: Date
    var entryType: String
    @Attribute(.unique) var id: UUID
    var isFavorite: Bool
    var linkedMoodId: UUID?
    var tags: [String]
    var title: String?
    var updatedAt: Date
    var userId: UUID
  }

  @Model final class SDMoodEntry {
    var associations: [String]
    var backendId: String?
    var createdAt: Date
    var date: Date
    @Attribute(.unique) var id: UUID
    var labels: [String]
    var notes: String?
    var source: String
    var sourceId: String?
    var updatedAt: Date
    var userId: UUID
    var valence: Double
  }

  @Model final class SDOutboxEvent {
    var completedAt: Date?
    var createdAt: Date
    var errorMessage: String?
    var eventType: String
    var id: UUID
    var lastAttemptAt: Date?
    var payload: Data
    var retryCount: Int
    var status: String
  }

  @Model final class SDStatistics {
    var createdAt: Date
    var data: Data
    @Attribute(.unique) var id: UUID
    var statisticsType: String
    var updatedAt: Date
    var userId: UUID
  }
}
