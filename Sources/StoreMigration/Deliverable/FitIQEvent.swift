import JSONText
import Migrations
import RowRewriting

/// A row of FitIQ's outbox, as the app reads it.
struct FitIQEvent: Hashable, Sendable {
  let eventType: String
  let status: String
  let attempts: Int64
  let maximumAttempts: Int64
  let isNewRecord: Bool
  let metadata: FitIQMetadata

  /// The entities that event types are about, as far as some version has them.
  static let entities = [
    "progressEntry": "SDProgressEntry", "physicalAttribute": "SDPhysicalAttribute",
    "activitySnapshot": "SDActivitySnapshot", "sleepSession": "SDSleepSession",
    "mealLog": "SDMeal", "workout": "SDWorkout", "workoutTemplate": "SDWorkoutTemplate",
  ]

  /// The event types that the app removes as done without having sent anything.
  static let unsentTypes: Set<String> = ["profileMetadata", "profilePhysical"]

  /// A Boolean value indicating whether the app takes the row up.
  var isTakenUp: Bool { status == "pending" || (status == "failed" && attempts < maximumAttempts) }

  /// A Boolean value indicating whether every attempt that the app makes has failed.
  var isExhausted: Bool { status == "failed" && !isTakenUp }

  /// The entity of the row, as it is in the store.
  struct Live: Hashable, Sendable {
    let isSynced: Bool
    let hasProfile: Bool
  }

  /// What the app does with a row that it takes up.
  func step(_ live: Live?) -> QueueForecast.Step {
    guard QueuedEvent.knownTypes.contains(eventType) else { return .stops }
    if Self.unsentTypes.contains(eventType) { return .completed }
    guard Self.entities[eventType] != nil else { return .fails }
    if case .delete(let id) = metadata { return id == nil ? .fails : .delete }
    // Progress is looked for among that of the signed-in profile.
    guard let live, eventType != "progressEntry" || live.hasProfile else { return .fails }
    return isNewRecord || !live.isSynced ? .create : .update
  }
}

/// What FitIQ makes of a metadata text.
enum FitIQMetadata: Hashable, Sendable {
  /// There is none.
  case none

  /// A case of FitIQCore's, and no delete.
  case known

  /// A delete, with the id by which the server knows what is deleted.
  case delete(id: String?)

  /// The app reads nothing from it: a text from before FitIQCore, or none of JSON.
  case legacy

  private static let cases: Set<String> = [
    "progressEntry", "moodEntry", "journalEntry", "sleepSession", "mealLog", "workout", "goal",
    "generic",
  ]

  init(_ text: [UInt8]) {
    guard !text.isEmpty else {
      self = .none
      return
    }
    guard let object = try? JSONNode(parsing: text, maximumByteCount: 1 << 20).object,
      let type = try? object.optional("type")?.string, Self.cases.contains(type)
    else {
      self = .legacy
      return
    }
    guard type == "generic" else {
      self = .known
      return
    }
    guard let data = try? object.optional("data")?.object,
      data.members.allSatisfy({ (try? $0.node.string) != nil })
    else {
      self = .legacy
      return
    }
    let isDelete = (try? data.optional("operation")?.string) == "delete"
    // FitIQ's spelling; Lume's is 'backendId'.
    let id = (try? data.optional("backendID")?.string).flatMap { $0.isEmpty ? nil : $0 }
    self = isDelete ? .delete(id: id) : .known
  }
}
