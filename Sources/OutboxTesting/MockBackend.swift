public import OutboxCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A backend for tests: it answers as a script says, and records every request.
///
/// Without a script, it accepts every request at once. It keeps to its key: a request that it has
/// accepted before is accepted again with the same id, and counts as a repetition.
public actor MockBackend: OutboxBackend {
  /// The answer to a request.
  public enum Answer: Sendable {
    /// Accept the request; the id of a new entity, or `nil` for one that the mock invents.
    case accept(id: String? = nil)

    /// Reject the request with an error.
    case fail(any Error)

    /// Accept the request, and fail: as if the connection broke before the answer.
    case acceptAndFail(any Error)
  }

  /// A request that came, with its date and whether it was accepted.
  public struct Record: Hashable, Sendable {
    public let request: BackendRequest
    public let date: Date
    public let isAccepted: Bool

    /// Whether a request with the same key was accepted before.
    public let isRepetition: Bool
  }

  /// The requests, in the order in which they were answered.
  public private(set) var records: [Record] = []

  /// The largest number of requests that were in progress at once.
  public private(set) var mostAtOnce = 0

  private let clock: any OutboxClock
  private let latency: @Sendable (BackendRequest) -> TimeInterval
  private var script: [Answer]
  private let answer: @Sendable (BackendRequest) -> Answer
  private var ids: [UUID: String?] = [:]
  private var inProgress = 0

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - script: The answers to the first requests, in the order in which these come.
  ///   - clock: The clock by which the latency passes.
  ///   - latency: A closure that returns the seconds before the answer to a request.
  ///   - answer: A closure that returns the answer to a request after the script.
  public init(
    script: [Answer] = [], clock: any OutboxClock = SystemOutboxClock(),
    latency: @escaping @Sendable (BackendRequest) -> TimeInterval = { _ in 0 },
    answer: @escaping @Sendable (BackendRequest) -> Answer = { _ in .accept() }
  ) {
    self.script = script
    self.clock = clock
    self.latency = latency
    self.answer = answer
  }

  /// The requests that were accepted, without repetitions.
  public var accepted: [BackendRequest] {
    records.filter { $0.isAccepted && !$0.isRepetition }.map(\.request)
  }

  /// Appends answers to the script.
  public func plan(_ answers: Answer...) { script += answers }

  public func send(_ request: BackendRequest) async throws -> String? {
    let answer = script.isEmpty ? answer(request) : script.removeFirst()
    inProgress += 1
    mostAtOnce = max(mostAtOnce, inProgress)
    defer { inProgress -= 1 }
    let seconds = latency(request)
    if seconds > 0 { try await clock.sleep(for: seconds) }
    switch answer {
    case .accept(let id): return accept(request, id)
    case .fail(let error):
      record(request, isAccepted: false)
      throw error
    case .acceptAndFail(let error):
      _ = accept(request, nil)
      throw error
    }
  }

  private func accept(_ request: BackendRequest, _ id: String?) -> String? {
    record(request, isAccepted: true)
    if let known = ids[request.key] { return known }
    var given: String?
    if case .create = request.operation { given = id ?? "mock-\(ids.count + 1)" }
    ids.updateValue(given, forKey: request.key)
    return given
  }

  private func record(_ request: BackendRequest, isAccepted: Bool) {
    records.append(
      Record(
        request: request, date: clock.now, isAccepted: isAccepted,
        isRepetition: ids[request.key] != nil))
  }
}

/// An error for scripts that says how to continue.
public struct MockFailure: OutboxHandlingError, LocalizedError, Hashable {
  public let errorDescription: String?
  public let isPermanent: Bool
  public let retryAfter: TimeInterval?

  /// Creates an error; by default, it invites another attempt after the event's delay.
  public init(
    _ description: String = "the mock failed", isPermanent: Bool = false,
    retryAfter: TimeInterval? = nil
  ) {
    errorDescription = description
    self.isPermanent = isPermanent
    self.retryAfter = retryAfter
  }
}
