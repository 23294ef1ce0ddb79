import Foundation
import SQLite
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
    case 8: change("SDMealLogItem", Self.splitQuantity)
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
    change("SDMoodEntry") { row in
      guard let valence = row.removeValue(forKey: "valence") else { return }
      row["value"] = valence.number.map { .integer(Self.moodValue($0)) } ?? 5
    }
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
    change("SDRecognizedFoodItem") { row in
      row["foodName"] = row.removeValue(forKey: "name")
      row["confidence"] = row.removeValue(forKey: "confidenceScore")
      row["calories"] = row["calories"]?.number.map { .real($0) } ?? 0.0
      row["createdAt"] = 757_382_400
    }
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

  static func moodValue(_ valence: Double) -> Int64 {
    let scaled = (valence + 1) * 4.5 + 1
    // Away from zero at halves, said without the standard library's rounding rules.
    let rounded = scaled < 0 ? -floor(-scaled + 0.5) : floor(scaled + 0.5)
    return Int64(max(1, min(10, rounded)))
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

  static func splitQuantity(_ row: inout EntityRow) {
    let text = row["quantity"]?.string ?? ""
    if let (number, unit) = readQuantity(text) {
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

  /// Reads a quantity with a regular expression.
  static func readQuantity(_ text: String) -> (Double, String)? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let vulgar = "[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]|[0-9]+[/⁄][0-9]+"
    let pattern =
      "^([+\\-−]?)(?:(\(vulgar))|([0-9]+)\\s*(\(vulgar))|([0-9]*[.,][0-9]+)|([0-9]+))\\s*(.*)$"
    guard
      let expression = try? NSRegularExpression(
        pattern: pattern, options: [.dotMatchesLineSeparators]),
      let match = expression.firstMatch(
        in: trimmed, range: NSRange(trimmed.startIndex..., in: trimmed))
    else { return nil }
    func group(_ number: Int) -> String? {
      Range(match.range(at: number), in: trimmed).map { String(trimmed[$0]) }
    }
    let unit = group(7) ?? ""
    let written = (1...6).compactMap { Range(match.range(at: $0), in: trimmed)?.upperBound }.max()
    if let written, trimmed[..<written].unicodeScalars.count > 64 { return nil }
    if unit.range(of: "^[^\\p{Alphabetic}%°(]", options: .regularExpression) != nil { return nil }
    let joins =
      "^(to|or|and|x|by|through|bis|oder|und|a|e|o|y|ou|et)\\s*([0-9]|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒])"
    if unit.range(of: joins, options: [.regularExpression, .caseInsensitive]) != nil { return nil }
    var number: Double
    if let fraction = group(2) {
      guard let value = value(ofFraction: fraction) else { return nil }
      number = value
    } else if let whole = group(3), let fraction = group(4) {
      // Digits run into a written fraction are its numerator, not a number before it.
      guard let value = value(ofFraction: fraction), let before = Double(whole) else { return nil }
      number = before + value
    } else if let decimal = group(5) {
      if decimal.range(of: "^[1-9][0-9]{0,2},[0-9]{3}$", options: .regularExpression) != nil {
        return nil
      }
      guard let value = Double("0" + decimal.replacingOccurrences(of: ",", with: ".")) else {
        return nil
      }
      number = value
    } else {
      guard let value = group(6).flatMap(Double.init) else { return nil }
      number = value
    }
    guard number.isFinite else { return nil }
    if let sign = group(1), sign == "-" || sign == "−" { number = -number }
    return (number, unit)
  }

  private static func value(ofFraction text: String) -> Double? {
    let parts = text.split { $0 == "/" || $0 == "⁄" }.compactMap { Double($0) }
    if parts.count == 2 { return parts[1] == 0 ? nil : parts[0] / parts[1] }
    let names = Array("½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒")
    let values: [Double] = [
      1 / 2, 1 / 3, 2 / 3, 1 / 4, 3 / 4, 1 / 5, 2 / 5, 3 / 5, 4 / 5, 1 / 6, 5 / 6, 1 / 7, 1 / 8,
      3 / 8, 5 / 8, 7 / 8, 1 / 9, 1 / 10,
    ]
    return text.first.flatMap { names.firstIndex(of: $0) }.map { values[$0] }
  }
}

extension Value {
  fileprivate var number: Double? { double ?? int64.map(Double.init) }

  fileprivate var uuid: UUID? {
    guard let bytes, bytes.count == 16 else { return nil }
    return UUID(uuidString: NSUUID(uuidBytes: bytes).uuidString)
  }
}
