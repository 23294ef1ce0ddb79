package import JSONText

extension QueueForecast {
  /// What the app would do, in the document of `verify`.
  package var json: JSONValue {
    [
      "open": .int(open), "stopped": .bool(isStopped),
      "steps": .object(
        Step.allCases.compactMap { step in steps[step].map { .init(step.name, .int($0)) } }),
      "batch": JSONValue(batch) { entry in
        [
          "key": .int(entry.key), "event_type": JSONValue(entry.eventType),
          "step": .string(entry.step.name),
        ]
      },
    ]
  }
}

extension QueueForecast.Step {
  /// The step's name in JSON.
  fileprivate var name: String {
    switch self {
    case .create: "create"
    case .update: "update"
    case .delete: "delete"
    case .completed: "completed"
    case .fails: "fails"
    case .stops: "stops"
    }
  }
}
