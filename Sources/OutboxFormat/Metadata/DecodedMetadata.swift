import JSONText

/// What the shipped apps decode from the metadata of an event.
///
/// They know the flat coding alone, and decode strictly: the data of a generic case are texts and
/// nothing else, or the whole is nothing to them.
package enum DecodedMetadata: Hashable, Sendable {
  /// There is no metadata.
  case missing

  /// A case of FitIQCore's that is no delete.
  case facts

  /// A delete.
  case delete(OutboxMetadata.Deletion)

  /// A text from before FitIQCore, or one that isn't JSON.
  case undecodable

  /// What a delete names; `nil` if the apps don't see a delete.
  public var deletion: OutboxMetadata.Deletion? {
    if case .delete(let deletion) = self { deletion } else { nil }
  }

  /// Decodes a metadata text; an empty one is missing.
  public init(_ text: [UInt8]) {
    guard !text.isEmpty else {
      self = .missing
      return
    }
    let limit = OutboxMetadata.maximumByteCount
    guard let object = try? JSONNode(parsing: text, maximumByteCount: limit).object,
      let name = (try? object.optional("type")?.string).flatMap(OutboxMetadata.CaseName.init)
    else {
      self = .undecodable
      return
    }
    guard name == .generic else {
      self = .facts
      return
    }
    guard let data = try? object.required("data").object,
      let values = try? MetadataReader.texts(data)
    else {
      self = .undecodable
      return
    }
    self = OutboxMetadata.Deletion(values).map { .delete($0) } ?? .facts
  }
}

extension OutboxMetadata {
  /// The names of the cases, which stand under `type`.
  enum CaseName: String {
    case progressEntry, moodEntry, journalEntry, sleepSession, mealLog, workout, goal, generic
  }
}
