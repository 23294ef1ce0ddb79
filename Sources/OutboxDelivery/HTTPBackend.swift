import JSONText
package import OutboxCore
import OutboxStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The apps' server, over HTTP.
package struct HTTPBackend: OutboxBackend {
  /// The path for creating resources, by event type; a resource's own path ends with its ID.
  ///
  /// The paths of moods and templates are documented; the others are those of the shipped apps, as
  /// far as known. FitIQ's body measurements are progress entries of a type. Lume's outbox only
  /// deletes conversations.
  static let paths: [OutboxEventType: String] = [
    .moodEntry: "/api/v1/moods", .journalEntry: "/api/v1/journal", .goal: "/api/v1/goals",
    .chatMessage: "/api/v1/consultations", .progressEntry: "/api/v1/progress",
    .physicalAttribute: "/api/v1/progress", .activitySnapshot: "/api/v1/activity-snapshots",
    .sleepSession: "/api/v1/sleep", .mealLog: "/api/v1/meal-logs/natural",
    .workout: "/api/v1/workouts", .workoutTemplate: "/api/v1/workout-templates",
  ]

  private let connection: BackendConnection

  package init(_ connection: BackendConnection) {
    self.connection = connection
  }

  /// Sends a request.
  ///
  /// Status 409 for a new resource counts as success even without an ID: an earlier attempt has
  /// created the resource. To delete a missing resource counts as success.
  ///
  /// - Throws: An ``HTTPError``.
  package func send(_ request: BackendRequest) async throws -> String? {
    guard let path = Self.paths[request.eventType] else {
      throw OutboxProcessorError.noHandlerFound(eventType: request.eventType)
    }
    let key = request.key.uuidString
    switch request.operation {
    case .create(let body):
      let response = try await connection.send(
        HTTPClient.Request(.post, path, body: body, idempotencyKey: key), accepting: [409])
      guard let id = response.identifier else {
        if response.status == 409 { return nil }
        throw HTTPError.noID
      }
      return id
    case .update(let id, let body):
      _ = try await connection.send(
        HTTPClient.Request(.put, path + Self.component(id), body: body, idempotencyKey: key))
    case .delete(let id):
      _ = try await connection.send(
        HTTPClient.Request(.delete, path + Self.component(id), idempotencyKey: key),
        accepting: [404, 410])
    }
    return nil
  }

  /// Returns an id as the last component of a path, percent-encoded.
  private static func component(_ id: String) -> String {
    var text = "/"
    for byte in id.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}

extension BackendEventHandler {
  /// Creates a handler of all events that the apps upload.
  ///
  /// It reads the entity from the store, and stores the ID that the server assigns.
  init(
    _ backend: any OutboxBackend, _ repository: StoreOutboxRepository, _ tally: DeliveryTally
  ) {
    self.init(backend, for: Set(HTTPBackend.paths.keys)) { event in
      switch try await repository.operation(for: event) {
      case .create(let body): return .create(body: body.text())
      case .update(let id, let body): return .update(id: id, body: body.text())
      case .delete(let id): return .delete(id: id)
      case .nothing:
        tally.recordUnsent(event)
        return nil
      }
    } accepted: { event, id in
      await repository.noteAccepted(event, backendID: id)
    }
  }
}

extension HTTPClient.Response {
  /// The ID in the response body, either in the object itself or under `data`.
  ///
  /// The ID is a text or an integer; an empty text isn't an ID.
  fileprivate var identifier: String? {
    guard let object = try? JSONNode(parsing: body).object else { return nil }
    let inner = (try? object.optional("data")?.object) ?? object
    guard let id = inner.optional("id") else { return nil }
    let text = (try? id.string) ?? (try? id.integer).map { String($0) }
    return text.flatMap { $0.isEmpty ? nil : $0 }
  }
}
