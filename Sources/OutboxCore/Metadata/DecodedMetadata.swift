import JSONText

/// The metadata of an event as the shipped apps decode it.
///
/// The apps know only the flat coding, and decode it strictly: if a value of a generic case isn't a
/// string, they can't decode the metadata at all.
package enum DecodedMetadata: Hashable, Sendable {
  /// There is no metadata.
  case missing

  /// A case of FitIQCore's metadata that isn't a delete.
  case facts

  /// A delete.
  case delete(OutboxMetadata.Deletion)

  /// A text from before FitIQCore, or a text that isn't JSON.
  case undecodable

  /// The ids that a delete names; `nil` if the apps don't recognize a delete.
  public var deletion: OutboxMetadata.Deletion? {
    if case .delete(let deletion) = self { deletion } else { nil }
  }

  /// Decodes a metadata text; an empty text counts as missing.
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
  /// The names of the cases, as written under `type`.
  enum CaseName: String {
    case progressEntry, moodEntry, journalEntry, sleepSession, mealLog, workout, goal, generic
  }
}
