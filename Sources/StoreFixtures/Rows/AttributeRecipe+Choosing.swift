import StoreModel

extension AttributeRecipe {
  /// Chooses how the values of an attribute are made: by its name where that says something, else by
  /// its type.
  ///
  /// The attribute may be the leaf of a composite, which is optional where the composite is.
  init(
    _ leaf: Attribute, isOptional: Bool, isUnique: Bool, of entity: Entity, in world: World
  ) {
    let chooser = RecipeChooser(
      attribute: leaf, entity: entity.name, isUnique: isUnique, world: world)
    kind = chooser.kind
    let isKey = isUnique || leaf.name == "id"
    nullPercent = isOptional && !isKey ? chooser.nullPercent : 0
    hash = stableHash(entity.name + "." + leaf.name)
  }
}

/// Decides what an attribute is about.
private struct RecipeChooser {
  let attribute: Attribute
  let entity: String
  let isUnique: Bool
  let world: World

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
    case _ where isUnique: .uuid
    case "userId", "userID": .owner(asText: false)
    default: reference(asText: false) ?? .uuid
    }
  }

  private func reference(asText: Bool) -> AttributeRecipe.Kind? {
    let targets = [
      "linkedMoodId": "SDMoodEntry", "conversationId": "SDChatConversation", "goalId": "SDGoal",
      "mealLogID": "SDMeal", "userProfileId": "SDUserProfile",
    ]
    return targets[attribute.name].flatMap(world.crowd).map { .reference($0, asText: asText) }
  }

  private var textKind: AttributeRecipe.Kind {
    switch (entity, attribute.name) {
    case (_, "id"): return .identity(asText: true)
    case _ where isUnique: return .unique(.string)
    case ("SDUserProfile", "userId"): return .user
    case (_, "userID"): return .looseOwner
    case (_, "userId"): return .owner(asText: true)
    case (_, "backendID"), (_, "backendId"), (_, "sourceID"), (_, "sourceId"), (_, "exerciseID"),
      (_, "userExerciseID"):
      return .serverID
    case (_, "authToken"), (_, "refreshToken"): return .token
    case ("SDMealLogItem", "quantity"): return .cycle(Vocabulary.quantities.map { Array($0.utf8) })
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
