import Platform
import SQLite
import StoreModel

/// Writes the metadata of an event about one row.
struct MetadataSubject {
  let eventType: String
  let id: [UInt8]
  let createdAt: Double
  let plan: EntityPlan?
  let index: Int
  let fixture: FixturePlan

  private static let style = PayloadWriter.Style(
    spacing: .none, isCamelCase: false, hasNumericDates: false, isASCII: false, firstMember: 0)

  /// Returns the metadata of a deletion, with the key that the app's processor expects.
  func deletion(_ random: inout RandomSource) -> [UInt8] {
    var members = [("operation", Array("delete".utf8))]
    switch (eventType, fixture.app) {
    case ("chatMessage", _): members.append(("conversationId", uuidTextBytes(id)))
    case (_, "fitiq"):
      members.append(("backendID", uuidTextBytes(random.uuid())))
      members.append(("deletedAt", internetDate(createdAt)))
    default:
      // The app wrote this word if there was no ID.
      let none = random.chance(20)
      members.append(("backendId", none ? Array("none".utf8) : uuidTextBytes(random.uuid())))
    }
    return generic(members)
  }

  /// Returns the metadata of a creation or update: usually flat, sometimes legacy, sometimes `nil`.
  func upsert(_ random: inout RandomSource) -> [UInt8]? {
    switch random.below(100) {
    case 0..<10: return nil
    case 10..<22 where fixture.app == "fitiq": return legacy(&random)
    case 22..<25: return Array("{\"moodEntry\":{\"valence\":0.5,\"labels\":[\"calm\"]}}".utf8)
    default: return flat(&random)
    }
  }

  private func flat(_ random: inout RandomSource) -> [UInt8]? {
    switch eventType {
    case "workout" where !random.chance(40):
      generic([
        ("activityType", Array("Running".utf8)), ("startedAt", internetDate(createdAt)),
        ("source", Array("HealthKit".utf8)),
      ])
    case "workoutTemplate":
      generic([
        ("name", text("name") ?? []), ("category", Array("strength".utf8)),
        ("exerciseCount", Array("3".utf8)),
      ])
    case "mealLog":
      generic([
        ("mealLogID", uuidTextBytes(id)), ("mealType", text("mealType") ?? []),
        ("rawInput", text("rawInput") ?? []), ("loggedAt", internetDate(createdAt)),
        ("hasNotes", Array("false".utf8)),
      ])
    default: typed(&random)
    }
  }

  /// Returns metadata with a member `type`, or `nil` for other event types.
  private func typed(_ random: inout RandomSource) -> [UInt8]? {
    var writer = PayloadWriter(Self.style)
    switch eventType {
    case "moodEntry":
      writer.add("type", "moodEntry")
      writer.add("valence", real("valence") ?? 0)
      writer.add("labels", words: random.pick(Vocabulary.wordLists))
    case "journalEntry":
      let content = String(decoding: text("content") ?? [], as: UTF8.self)
      writer.add("type", "journalEntry")
      writer.add("wordCount", Double(content.split(separator: " ").count))
      if let mood = value("linkedMoodId").bytes { writer.add("linkedMoodID", id: mood) }
    case "goal":
      writer.add("type", "goal")
      writer.add("title", utf8: text("title") ?? [])
      writer.add("category", utf8: text("category") ?? [])
    case "progressEntry":
      writer.add("type", "progressEntry")
      writer.add("metricType", utf8: text("type") ?? [])
      writer.add("value", real("quantity") ?? 0)
      writer.add("unit", random.pick(["", "kg", "steps", "ml"]))
    case "sleepSession":
      writer.add("type", "sleepSession")
      writer.add("duration", Double(random.integer(3_600...36_000)))
      if random.chance(60) { writer.add("quality", real("sleepEfficiency") ?? 0.9) }
    case "workout":
      // The workout's own type replaced the discriminator.
      writer.add("type", random.pick(["running", "yoga", "workout"]))
      writer.add("duration", Double(random.integer(300...7_200)))
    default: return nil
    }
    return writer.text
  }

  /// Returns metadata that FitIQ wrote before FitIQCore; current readers reject it.
  private func legacy(_ random: inout RandomSource) -> [UInt8] {
    var writer = PayloadWriter(Self.style)
    switch eventType {
    case "mealLog":
      writer.add("mealLogID", id: id)
      writer.add("mealType", utf8: text("mealType") ?? [])
      writer.add("rawInput", utf8: text("rawInput") ?? [])
      writer.add("loggedAt", createdAt + Double(Timestamp.referenceDate))
    case "workoutTemplate":
      writer.add("name", utf8: text("name") ?? [])
      writer.add("category", "strength")
      writer.add("exerciseCount", Double(random.below(9)))
    default:
      writer.add("type", utf8: text("type") ?? Array("steps".utf8))
      writer.add("quantity", random.number(0...100))
      writer.add("date", createdAt + Double(Timestamp.referenceDate))
    }
    return writer.text
  }

  private func generic(_ members: [(key: String, text: [UInt8])]) -> [UInt8] {
    var writer = PayloadWriter(Self.style)
    for member in members { writer.add(member.key, utf8: member.text) }
    return Array("{\"type\":\"generic\",\"data\":".utf8) + writer.text + Array("}".utf8)
  }

  private func value(_ attribute: String) -> Value {
    plan?.value(attribute, at: index, in: fixture) ?? .null
  }

  private func text(_ attribute: String) -> [UInt8]? { value(attribute).bytes }

  private func real(_ attribute: String) -> Double? { value(attribute).double }
}
