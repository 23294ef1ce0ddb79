#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A request to a backend about the entity of an event.
public struct BackendRequest: Hashable, Sendable {
  /// What the backend is asked to do.
  public enum Operation: Hashable, Sendable {
    /// Create the entity; the body is JSON.
    case create(body: String)

    /// Update the entity with an id on the backend; the body is JSON.
    case update(id: String, body: String)

    /// Delete the entity with an id on the backend.
    case delete(id: String)
  }

  /// The type of the event.
  public let eventType: OutboxEventType

  /// The operation, with its body.
  public let operation: Operation

  /// The key by which the backend recognizes a repetition: the event's id.
  public let key: UUID

  public init(_ eventType: OutboxEventType, _ operation: Operation, key: UUID) {
    self.eventType = eventType
    self.operation = operation
    self.key = key
  }
}

/// The server that gets the changes in an outbox.
public protocol OutboxBackend: Sendable {
  /// Sends a request; returns when the backend has accepted it.
  ///
  /// A request may come again with the same key: the backend must not carry it out twice. An error
  /// that is an ``OutboxHandlingError`` says whether another attempt makes sense, and when.
  ///
  /// - Returns: The id that the backend gave to a new entity, otherwise `nil`.
  func send(_ request: BackendRequest) async throws -> String?
}

/// Sends the events of some types to a backend.
public struct BackendEventHandler: OutboxProcessorService.OutboxEventHandler {
  private let backend: any OutboxBackend
  private let types: Set<OutboxEventType>
  private let operation: @Sendable (OutboxEvent) async throws -> BackendRequest.Operation?
  private let accepted: @Sendable (OutboxEvent, String) async throws -> Void

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - backend: The backend.
  ///   - types: The types of the events.
  ///   - operation: A closure that returns the operation for an event, from its entity as it is now;
  ///     `nil` if nothing needs to be sent.
  ///   - accepted: A closure that stores the id that the backend gave to an event's new entity.
  public init(
    _ backend: any OutboxBackend, for types: Set<OutboxEventType>,
    operation: @escaping @Sendable (OutboxEvent) async throws -> BackendRequest.Operation?,
    accepted: @escaping @Sendable (OutboxEvent, String) async throws -> Void = { _, _ in }
  ) {
    self.backend = backend
    self.types = types
    self.operation = operation
    self.accepted = accepted
  }

  public func canHandle(eventType: OutboxEventType) -> Bool { types.contains(eventType) }

  public func handle(event: OutboxEvent) async throws {
    guard let operation = try await operation(event) else { return }
    let request = BackendRequest(event.eventType, operation, key: event.id)
    if let id = try await backend.send(request) { try await accepted(event, id) }
  }
}
