import JSONText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension OutboxMetadata {
  /// The maximum length of a text, 1 MiB.
  static let maximumByteCount = 1 << 20

  /// Reads a text in FitIQCore's own coding, or in the coding that the compiler synthesizes.
  ///
  /// FitIQCore's flat coding has the case under `type`; the synthesized coding has the case as its
  /// only key. A workout is also read as the shipped apps write it, with its own type in place of
  /// the case. A workout type that has a case's name can't be distinguished from the case.
  public init(text: String) throws(OutboxMetadataError) {
    try self.init(utf8: Array(text.utf8))
  }

  /// Reads a text from its bytes.
  public init(utf8: [UInt8]) throws(OutboxMetadataError) {
    do throws(JSONError) {
      let node = try JSONNode(parsing: utf8, maximumByteCount: Self.maximumByteCount)
      self = try MetadataReader(node.object).metadata
    } catch {
      throw .unreadable
    }
  }
}

/// Reads metadata from an object, in any of its codings.
struct MetadataReader {
  private let object: JSONObject

  init(_ object: JSONObject) {
    self.object = object
  }

  var metadata: OutboxMetadata {
    get throws(JSONError) {
      guard let name = try? object.optional("type")?.string else { return try synthesised }
      if let kind = OutboxMetadata.CaseName(rawValue: name) { return try flat(kind) }
      return .workout(type: name, duration: try object.required("duration").double)
    }
  }

  /// The metadata in the synthesized coding: the case is the only key.
  private var synthesised: OutboxMetadata {
    get throws(JSONError) {
      guard object.members.count == 1, let member = object.members.first,
        let kind = OutboxMetadata.CaseName(rawValue: member.key)
      else { throw object.node.error("none of the codings") }
      let inner = MetadataReader(try member.node.object)
      switch kind {
      case .workout:
        return .workout(
          type: try inner.object.required("type").string,
          duration: try inner.object.required("duration").double)
      case .generic: return .generic(try Self.texts(inner.object.required("_0").object))
      default: return try inner.flat(kind)
      }
    }
  }

  private func flat(_ kind: OutboxMetadata.CaseName) throws(JSONError) -> OutboxMetadata {
    switch kind {
    case .progressEntry:
      return .progressEntry(
        metricType: try object.required("metricType").string,
        value: try object.required("value").double, unit: try object.required("unit").string)
    case .moodEntry:
      return .moodEntry(
        valence: try object.required("valence").double,
        labels: try object.required("labels").strings)
    case .journalEntry:
      return .journalEntry(
        wordCount: try whole("wordCount"), linkedMoodID: try identifier("linkedMoodID"))
    case .sleepSession:
      let quality = present("quality")
      return .sleepSession(
        duration: try object.required("duration").double, quality: try quality?.double)
    case .mealLog:
      var macros: [String: Double] = [:]
      for member in try object.required("macros").object.members {
        macros[member.key] = try member.node.double
      }
      return .mealLog(calories: try object.required("calories").double, macros: macros)
    case .workout:
      return .workout(
        type: try present("workoutType")?.string ?? "workout",
        duration: try object.required("duration").double)
    case .goal:
      return .goal(
        title: try object.required("title").string,
        category: try object.required("category").string)
    case .generic: return .generic(try Self.texts(object.required("data").object))
    }
  }

  /// Returns the value of a key; `nil` if it is missing or null.
  private func present(_ key: String) -> JSONNode? {
    object.optional(key).flatMap { $0.isNull ? nil : $0 }
  }

  private func whole(_ key: String) throws(JSONError) -> Int {
    let node = try object.required(key)
    if let number = try? node.integer { return Int(number) }
    guard let number = Int(exactly: try node.double) else { throw node.error("no whole number") }
    return number
  }

  private func identifier(_ key: String) throws(JSONError) -> UUID? {
    guard let node = present(key) else { return nil }
    guard let id = UUID(uuidString: try node.string) else { throw node.error("no UUID") }
    return id
  }

  static func texts(_ object: JSONObject) throws(JSONError) -> [String: String] {
    var texts: [String: String] = [:]
    for member in object.members { texts[member.key] = try member.node.string }
    return texts
  }
}
