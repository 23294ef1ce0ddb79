import Foundation
import SQLite
import TestSupport
import Migrations
import RowRewriting
import OutboxConversion
import StoreProof

/// FitIQ's migrations, slow and obvious: version by version, over dictionaries.
///
/// Each function is one sentence of what the apps' schemas changed; nothing here is shared with the
/// engine.
struct FitIQReference {
  var store: EntityRows

  /// The values that had no place, by step.
  var losses: [String: Int] = [:]

  /// Takes a store's rows to V11.
  mutating func migrate(from version: Int) {
    for next in version + 1...11 { step(to: next) }
  }

  mutating func step(to version: Int) {
    switch version {
    case 2: store["SDProgressEntry"] = [:]
    case 3: store["SDOutboxEvent"] = [:]
    case 4: (store["SDSleepSession"], store["SDSleepStage"]) = ([:], [:])
    case 5: store["SDMoodEntry"] = [:]
    case 6: toV6()
    case 7: change("SDMealLogItem") { $0["foodType"] = "food" }
    case 8: toV8()
    case 9: toV9()
    case 10: toV10()
    case 11: toV11()
    default: break
    }
  }

  private mutating func toV6() {
    (store["SDMeal"], store["SDMealLogItem"]) = ([:], [:])
    dropOwner(of: "SDMoodEntry", profile: "SDUserProfile", step: "V5-V6")
    dropOwner(of: "SDSleepSession", profile: "SDUserProfile", step: "V5-V6")
  }

  private mutating func toV8() {
    var (texts, notes) = (0, 0)
    change("SDMealLogItem") { row in
      let old = row
      Self.splitQuantity(&row)
      let text = old["quantity"]?.string ?? ""
      if !text.isEmpty && text != Self.quantityText(row) && text != row["parsingNotes"]?.string {
        texts += 1
      }
      let note = old["parsingNotes"]?.string ?? ""
      if !note.isEmpty && note != row["parsingNotes"]?.string { notes += 1 }
    }
    count(texts, "V7-V8:SDMealLogItem.quantity")
    count(notes, "V7-V8:SDMealLogItem.parsingNotes")
  }

  private mutating func toV9() {
    dropOwner(of: "SDProgressEntry", profile: "SDUserProfile", step: "V8-V9")
    (store["SDPhotoRecognition"], store["SDRecognizedFoodItem"]) = ([:], [:])
    renameEntity("SDUserProfile", to: "SDUserProfileV9")
  }

  private mutating func toV10() {
    store["SDWorkout"] = [:]
    change("SDUserProfileV9") { row in
      row["unitSystem"] = row.removeValue(forKey: "preferredUnitSystem")
      row["email"] = ""
      for name in [
        "dailyCalorieGoal", "authToken", "refreshToken", "tokenExpiresAt", "refreshTokenExpiresAt",
      ] { row[name] = Value.null }
    }
    drop(["bio", "languageCode"], of: "SDUserProfileV9", step: "V9-V10")
    renameEntity("SDUserProfileV9", to: "SDUserProfileV10")
    var moods = 0
    change("SDMoodEntry") { row in
      guard let valence = row.removeValue(forKey: "valence") else { return }
      row["value"] = valence.number.map { .integer(FitIQFormulas.moodValue($0)) } ?? 5
      if let number = valence.number, !FitIQFormulas.isRestored(valence: number) { moods += 1 }
    }
    count(moods, "V9-V10:SDMoodEntry.valence")
    drop(["labels", "associations", "sourceID"], of: "SDMoodEntry", step: "V9-V10")
    dropOwner(of: "SDPhotoRecognition", profile: "SDUserProfileV10", step: "V9-V10")
    change("SDPhotoRecognition") { row in
      row["processedAt"] = row.removeValue(forKey: "processingCompletedAt")
      row["photoFileName"] = Value.null
      row["rawResponse"] = Value.null
    }
    drop(
      [
        "confidenceScore", "imageURL", "loggedAt", "mealLogID", "mealType", "needsReview", "notes",
        "processingStartedAt", "totalCalories", "totalCarbsG", "totalFatG", "totalFiberG",
        "totalProteinG", "totalSugarG",
      ], of: "SDPhotoRecognition", step: "V9-V10",
      defaults: ["mealType": "snack", "needsReview": 1, "loggedAt": 757_382_400])
    var calories = 0
    change("SDRecognizedFoodItem") { row in
      row["foodName"] = row.removeValue(forKey: "name")
      row["confidence"] = row.removeValue(forKey: "confidenceScore")
      if let whole = row["calories"]?.int64, Int64(exactly: Double(whole)) != whole {
        calories += 1
      }
      row["calories"] = row["calories"]?.number.map { .real($0) } ?? 0.0
      row["createdAt"] = 757_382_400
    }
    count(calories, "V9-V10:SDRecognizedFoodItem.calories")
  }

  private mutating func toV11() {
    (store["SDWorkoutTemplate"], store["SDTemplateExercise"]) = ([:], [:])
    renameEntity("SDUserProfileV10", to: "SDUserProfileV11")
  }
}

// MARK: - What steps have in common

extension FitIQReference {
  private mutating func change(_ entity: String, _ body: (inout EntityRow) -> Void) {
    for key in store[entity].keys {
      var row = store[entity][key] ?? [:]
      body(&row)
      store[entity][key] = row
    }
  }

  private mutating func renameEntity(_ name: String, to newName: String) {
    store.rows[newName] = store.rows.removeValue(forKey: name)
  }

  private mutating func drop(
    _ names: [String], of entity: String, step: String, defaults: [String: Value] = [:]
  ) {
    for name in names {
      var lost = 0
      change(entity) { row in
        guard let value = row.removeValue(forKey: name) else { return }
        guard !value.isNull, value.bytes?.isEmpty != true, value != defaults[name],
          !Self.isEmptyArray(value)
        else { return }
        lost += 1
      }
      count(lost, "\(step):\(entity).\(name)")
    }
  }

  /// Sets a missing link if exactly one profile has the owner's id; an owner that isn't the linked
  /// profile afterwards is lost.
  private mutating func dropOwner(of entity: String, profile: String, step: String) {
    let profiles = store[profile]
    var lost = 0
    change(entity) { row in
      guard let value = row.removeValue(forKey: "userID") else { return }
      let owner = value.string ?? ""
      let named = profiles.filter { UUID(uuidString: owner) == $0.value["id"]?.uuid }
      if row["userProfile"] == .null, named.count == 1, let key = named.first?.key {
        row["userProfile"] = .integer(key)
      }
      let isCarried = named.contains { row["userProfile"] == .integer($0.key) }
      if !owner.isEmpty && !isCarried { lost += 1 }
    }
    count(lost, "\(step):\(entity).userID")
  }

  private mutating func count(_ lost: Int, _ step: String) {
    if lost > 0 { losses[step] = lost }
  }

  /// The archive of an empty array holds no element, so that it has one object besides `$null`, the
  /// array and its class.
  static func isEmptyArray(_ value: Value) -> Bool {
    guard let bytes = value.bytes,
      let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil),
      let objects = (list as? [String: Any])?["$objects"] as? [Any]
    else { return false }
    return objects.count <= 3
  }

  /// The text of an ordinary number and its unit.
  static func quantityText(_ row: EntityRow) -> String {
    let number = row["quantity"]?.number ?? 0
    let decimal = number == number.rounded() ? String(Int(number)) : "\(number)"
    let unit = row["unit"]?.string ?? ""
    return unit.isEmpty ? decimal : decimal + " " + unit
  }

  static func splitQuantity(_ row: inout EntityRow) {
    let text = row["quantity"]?.string ?? ""
    if let (number, unit) = FitIQFormulas.readQuantity(text) {
      row["quantity"] = .real(number)
      row["unit"] = .text(unit)
    } else {
      row["quantity"] = 0.0
      row["unit"] = ""
      let notes = row["parsingNotes"]?.string ?? ""
      let isBlank = text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty
      if !isBlank { row["parsingNotes"] = .text(notes.isEmpty ? text : notes + "\n" + text) }
    }
  }
}

extension Value {
  fileprivate var number: Double? { double ?? int64.map(Double.init) }

  fileprivate var uuid: UUID? {
    guard let bytes, bytes.count == 16 else { return nil }
    return UUID(uuidString: NSUUID(uuidBytes: bytes).uuidString)
  }
}
