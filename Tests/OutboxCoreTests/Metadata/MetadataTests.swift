import Foundation
import OutboxCore
import TestSupport
import Testing

@Suite struct MetadataTests {
  /// The declaration of the seeds' plan, whose coding the compiler writes.
  enum Synthesised: Codable {
    case progressEntry(metricType: String, value: Double, unit: String)
    case moodEntry(valence: Double, labels: [String])
    case journalEntry(wordCount: Int, linkedMoodID: UUID?)
    case sleepSession(duration: TimeInterval, quality: Double?)
    case mealLog(calories: Double, macros: [String: Double])
    case workout(type: String, duration: TimeInterval)
    case goal(title: String, category: String)
    case generic([String: String])

    init(_ metadata: OutboxMetadata) {
      self =
        switch metadata {
        case .progressEntry(let metric, let value, let unit):
          .progressEntry(metricType: metric, value: value, unit: unit)
        case .moodEntry(let valence, let labels): .moodEntry(valence: valence, labels: labels)
        case .journalEntry(let count, let mood):
          .journalEntry(wordCount: count, linkedMoodID: mood)
        case .sleepSession(let duration, let quality):
          .sleepSession(duration: duration, quality: quality)
        case .mealLog(let calories, let macros): .mealLog(calories: calories, macros: macros)
        case .workout(let type, let duration): .workout(type: type, duration: duration)
        case .goal(let title, let category): .goal(title: title, category: category)
        case .generic(let data): .generic(data)
        }
    }
  }

  private static func text(_ random: inout some RandomNumberGenerator) -> String {
    let parts = ["", "running", "type", "workout", "Ä \"q\" \\", "🙂\n", "/", "generic", "\u{1}"]
    return (0..<Int.random(in: 0...3, using: &random))
      .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
  }

  private static func number(_ random: inout some RandomNumberGenerator) -> Double {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: Double(Int.random(in: -2_000...2_000, using: &random))
    case 1: Double.random(in: -1...1, using: &random)
    case 2: [1e300, -0.0, .leastNonzeroMagnitude, 0x1p60, 0.1].randomElement(using: &random) ?? 0
    default: Double.random(in: 0...1e9, using: &random)
    }
  }

  private static func metadata(_ random: inout some RandomNumberGenerator) -> OutboxMetadata {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      return .progressEntry(
        metricType: text(&random), value: number(&random), unit: text(&random))
    case 1:
      return .moodEntry(valence: number(&random), labels: [text(&random), text(&random)])
    case 2:
      return .journalEntry(
        wordCount: Int.random(in: 0...99, using: &random),
        linkedMoodID: Bool.random(using: &random) ? UUID() : nil)
    case 3:
      return .sleepSession(
        duration: number(&random), quality: Bool.random(using: &random) ? number(&random) : nil)
    case 4:
      return .mealLog(
        calories: number(&random),
        macros: ["protein": number(&random), text(&random): number(&random)])
    case 5: return .workout(type: text(&random), duration: number(&random))
    case 6: return .goal(title: text(&random), category: text(&random))
    default: return .generic(["k": text(&random), text(&random): text(&random)])
    }
  }

  @Test func `metadata comes back from its text, any encoder's, and the compiler's`() throws {
    let seed = printedSeed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let metadata = Self.metadata(&random)
      #expect(try OutboxMetadata(text: metadata.text) == metadata, "seed \(seed)")
      let flat = try JSONEncoder().encode([metadata])
      #expect(
        try JSONDecoder().decode([OutboxMetadata].self, from: flat) == [metadata], "seed \(seed)")
      let compilers = try JSONEncoder().encode(Synthesised(metadata))
      let text = String(decoding: compilers, as: UTF8.self)
      #expect(try OutboxMetadata(text: text) == metadata, "seed \(seed)")
      #expect(
        try JSONDecoder().decode(OutboxMetadata.self, from: compilers) == metadata, "seed \(seed)")
    }
  }

  @Test func `each case is written as the apps write it`() throws {
    let id = try #require(UUID(uuidString: "0D32B187-75A5-4B77-9F2F-04494DEA0BA9"))
    let texts: [(OutboxMetadata, String)] = [
      (
        .progressEntry(metricType: "steps", value: 1000, unit: ""),
        #"{"type":"progressEntry","metricType":"steps","value":1000,"unit":""}"#
      ),
      (
        .moodEntry(valence: 0.5, labels: ["calm"]),
        #"{"type":"moodEntry","valence":0.5,"labels":["calm"]}"#
      ),
      (
        .journalEntry(wordCount: 12, linkedMoodID: nil), #"{"type":"journalEntry","wordCount":12}"#
      ),
      (
        .journalEntry(wordCount: 1, linkedMoodID: id),
        #"{"type":"journalEntry","wordCount":1,"linkedMoodID":"0D32B187-75A5-4B77-9F2F-04494DEA0BA9"}"#
      ),
      (
        .sleepSession(duration: 28_800, quality: 0.9),
        #"{"type":"sleepSession","duration":28800,"quality":0.9}"#
      ),
      (
        .mealLog(calories: 500, macros: ["protein": 20]),
        #"{"type":"mealLog","calories":500,"macros":{"protein":20}}"#
      ),
      (.goal(title: "t", category: "c"), #"{"type":"goal","title":"t","category":"c"}"#),
      (.generic(["k": "v"]), #"{"type":"generic","data":{"k":"v"}}"#),
      (.workout(type: "workout", duration: 60), #"{"type":"workout","duration":60}"#),
      (
        .workout(type: "running", duration: 60),
        #"{"type":"workout","workoutType":"running","duration":60}"#
      ),
    ]
    for (metadata, text) in texts {
      #expect(try metadata.text == text)
      #expect(try OutboxMetadata(text: text) == metadata)
    }
  }

  @Test func `a workout is read as the shipped apps wrote it over the case`() throws {
    let text = #"{"type":"running","duration":1800}"#
    #expect(try OutboxMetadata(text: text) == .workout(type: "running", duration: 1800))
  }

  @Test(arguments: [
    "", "{}", "[]", "bm8ganNvbg==", #"{"type":"generic","data":{"n":1}}"#,
    #"{"type":"weight","quantity":70,"date":1700000000}"#, #"{"mealLogID":"x","mealType":"lunch"}"#,
    #"{"type":"journalEntry","wordCount":1.5}"#, #"{"moodEntry":{"valence":1}}"#,
    #"{"type":"journalEntry","wordCount":1,"linkedMoodID":"x"}"#,
  ])
  func `what is in no coding isn't read`(text: String) {
    #expect(throws: OutboxMetadataError.unreadable) { try OutboxMetadata(text: text) }
  }

  @Test func `a number that isn't finite isn't written`() {
    let metadata = OutboxMetadata.moodEntry(valence: .nan, labels: [])
    #expect(throws: OutboxMetadataError.notFinite) { try metadata.text }
  }

  @Test func `a delete is known by its metadata, in both apps' spellings`() {
    func deletion(_ data: [String: String]) -> OutboxMetadata.Deletion? {
      OutboxMetadata.generic(data).deletion
    }
    #expect(deletion(["operation": "delete", "backendId": "b"])?.backendID == "b")
    #expect(deletion(["operation": "delete", "backendID": "b"])?.backendID == "b")
    #expect(deletion(["operation": "delete", "backendId": "none"])?.backendID == .some(nil))
    #expect(deletion(["operation": "delete", "conversationId": "c"])?.conversationID == "c")
    #expect(deletion(["operation": "update", "backendId": "b"]) == nil)
    #expect(OutboxMetadata.goal(title: "delete", category: "").deletion == nil)
  }
}
