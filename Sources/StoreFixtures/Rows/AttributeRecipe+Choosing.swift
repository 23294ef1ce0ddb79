import SQLite
import StoreModel

extension AttributeRecipe {
  /// Chooses a recipe by the attribute's name or, if the name isn't known, by its type.
  ///
  /// The attribute can be a leaf of a composite attribute. It is optional if the composite is.
  init(
    _ leaf: Attribute, isOptional: Bool, isUnique: Bool, of entity: Entity, in fixture: FixturePlan
  ) {
    let chooser = RecipeChooser(
      attribute: leaf, entity: entity.name, isUnique: isUnique, fixture: fixture)
    kind = chooser.kind
    let isKey = isUnique || leaf.name == "id"
    edges = isKey ? [] : chooser.edges(isOptional: isOptional)
    nullPercent = isOptional && !isKey ? chooser.nullPercent : 0
    hash = stableHash(entity.name + "." + leaf.name)
  }
}

/// Chooses the kind and the edge cases of an attribute's values.
private struct RecipeChooser {
  let attribute: Attribute
  let entity: String
  let isUnique: Bool
  let fixture: FixturePlan

  var nullPercent: Int {
    switch attribute.name {
    case "backendID", "backendId": 40
    case "errorMessage": 85
    default: 25
    }
  }

  var kind: AttributeRecipe.Kind {
    if entity == outboxEntity, let column = OutboxColumn(rawValue: attribute.name) {
      return .outbox(column)
    }
    switch attribute.type {
    case .string: return textKind
    case .uuid: return uuidKind
    case _ where isUnique: return .unique(attribute.type)
    case .date: return dateKind
    case .double, .float, .decimal: return numberKind
    case .integer16, .integer32, .integer64: return integerKind
    case .boolean: return .boolean(percent: 40)
    case .binary:
      return attribute.allowsExternalStorage ? .bytes(hasPrefix: true) : .json(asText: false)
    case .transformable: return .words(Vocabulary.archivedLists)
    case .uri: return .url
    case .undefined, .objectID, .composite, .codable: return .unique(.integer64)
    }
  }

  private var uuidKind: AttributeRecipe.Kind {
    switch attribute.name {
    case "id": .identity(asText: false)
    case _ where isUnique: .unique(.uuid)
    case "userId", "userID": .owner(asText: false)
    default: reference(asText: false) ?? .uuid
    }
  }

  private func reference(asText: Bool) -> AttributeRecipe.Kind? {
    let targets = [
      "linkedMoodId": "SDMoodEntry", "conversationId": "SDChatConversation", "goalId": "SDGoal",
      "mealLogID": "SDMeal", "userProfileId": "SDUserProfile",
    ]
    return targets[attribute.name].flatMap(fixture.rowSet).map { .reference($0, asText: asText) }
  }

  private var textKind: AttributeRecipe.Kind {
    switch (entity, attribute.name) {
    case (_, "id"): return .identity(asText: true)
    case _ where isUnique: return .unique(.string)
    case ("SDUserProfile", "userId"): return .user
    case (_, "userID"): return .ownerText
    case (_, "userId"): return .owner(asText: true)
    case (_, "backendID"), (_, "backendId"), (_, "sourceID"), (_, "sourceId"), (_, "exerciseID"),
      (_, "userExerciseID"):
      return .serverID
    case (_, "authToken"), (_, "refreshToken"): return .token
    case ("SDMealLogItem", "quantity"):
      return .choice(Vocabulary.quantities.map { Array($0.utf8) })
    case (_, "content"): return .prose(3...8)
    case (_, "rawResponse"): return .json(asText: true)
    default:
      if let choices = Choices.of(attribute.name, entity: entity) {
        return .choice(choices.map { Array($0.utf8) })
      }
      return reference(asText: true) ?? .prose(1...3)
    }
  }

  private var dateKind: AttributeRecipe.Kind {
    let (hour, day) = (3_600.0, 86_400.0)
    switch attribute.name {
    case "createdAt": return .moment(0...0)
    case "generatedAt": return .generation
    case "dateOfBirth": return .birthday
    case "updatedAt", "readAt", "archivedAt", "processedAt", "processingCompletedAt",
      "backendSyncedAt":
      return .moment(20...(9 * day))
    case "startTime", "startedAt", "processingStartedAt": return .moment((-9 * hour)...(-8 * hour))
    case "endTime", "endedAt": return .moment((-2 * hour)...0)
    case "periodStart": return .moment((-8 * day)...(-7 * day))
    case "targetDate", "expiresAt", "tokenExpiresAt", "refreshTokenExpiresAt":
      return .moment(day...(200 * day))
    default: return .moment(-hour...0)
    }
  }

  private var numberKind: AttributeRecipe.Kind {
    switch attribute.name {
    case "valence": .number(-1...1, steps: 0.015625)
    case "confidence", "confidenceScore", "progress", "sleepEfficiency":
      .number(0...1, steps: 0.001)
    case "heightCm": .number(140...205, steps: 0.5)
    case "heartRateAvg": .number(48...140, steps: 0.1)
    case "distanceKm": .number(0...25, steps: 0.01)
    case "distanceMeters": .number(0...25_000, steps: 1)
    case "dailyCalorieGoal", "caloriesBurned": .number(0...3_000, steps: 0.5)
    case "weightKg": .number(2...140, steps: 0.5)
    default: .number(0...250, steps: attribute.type == .float ? 0.125 : 0.01)
    }
  }

  private var integerKind: AttributeRecipe.Kind {
    switch attribute.name {
    case "orderIndex": .integer(0...9)
    case "value", "intensity": .integer(1...10)
    case "steps": .integer(0...28_000)
    case "sets", "reps": .integer(1...15)
    default: .integer(0...900)
    }
  }
}

// MARK: - Edge cases

extension RecipeChooser {
  /// The values of the first rows, so that every fixture contains them.
  ///
  /// An optional attribute has a value in the first row and is NULL in the second.
  func edges(isOptional: Bool) -> [Value] {
    let values = edgeValues
    guard isOptional else { return values.filter { !$0.isNull } }
    guard let first = values.first, !values.contains(.null) else { return values }
    return [first, .null] + values.dropFirst()
  }

  private var edgeValues: [Value] {
    switch (entity, attribute.name) {
    case (outboxEntity, _): return []
    case ("SDMoodEntry", "valence") where fixture.app == "fitiq":
      return Choices.valences.map { $0.map { .real($0) } ?? .null }
    // Text after a quantity is moved to the notes, which may not be empty.
    case ("SDMealLogItem", "parsingNotes"):
      return Vocabulary.quantities.indices.map { $0.isMultiple(of: 2) ? "Two helpings?" : .null }
    // 2⁵³ is the limit up to which a double represents every integer.
    case ("SDRecognizedFoodItem", "calories") where attribute.type == .integer64:
      return [0, 1, 250, -5, .integer(1 << 53)]
    case ("SDRecognizedFoodItem", "confidenceScore"): return [0.0, 1.0, 0.5]
    case (_, "bio"): return ["Runs, reads, rests.", .null, ""]
    case (_, "languageCode"): return ["pt-BR", .null, ""]
    default: break
    }
    switch kind {
    case .choice(let texts): return texts.map { .text($0) }
    case .boolean: return [1, 0]
    // An empty list, lists with one and with several texts, and one with an empty text.
    case .words(let lists): return [0, 1, 2, lists.count - 1].map { .blob(lists[$0].archive) }
    default: return []
    }
  }
}
