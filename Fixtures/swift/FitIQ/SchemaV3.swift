import Foundation
import SwiftData

/// The models of FitIQ V3, without initialisers.
enum SchemaV3: VersionedSchema {
  static var versionIdentifier = Schema.Version(0, 0, 3)

  static var models: [any PersistentModel.Type] {
    [
      SDActivitySnapshot.self, SDDietaryAndActivityPreferences.self, SDOutboxEvent.self,
      SDPhysicalAttribute.self, SDProgressEntry.self, SDUserProfile.self,
    ]
  }

  typealias SDActivitySnapshot = SchemaV2.SDActivitySnapshot
  typealias SDDietaryAndActivityPreferences = SchemaV2.SDDietaryAndActivityPreferences
  typealias SDPhysicalAttribute = SchemaV2.SDPhysicalAttribute
  typealias SDProgressEntry = SchemaV2.SDProgressEntry
  typealias SDUserProfile = SchemaV2.SDUserProfile

  @Model final class SDOutboxEvent {
    var attemptCount: Int = 0
    var completedAt: Date?
    var createdAt: Date = Date()
    var entityID: UUID = UUID()
    var errorMessage: String?
    var eventType: String = ""
    var id: UUID = UUID()
    var isNewRecord: Bool = true
    var lastAttemptAt: Date?
    var maxAttempts: Int = 5
    var metadata: String?
    var priority: Int = 0
    var status: String = "pending"
    var userID: String = ""
  }
}
