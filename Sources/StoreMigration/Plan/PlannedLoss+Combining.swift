extension [PlannedLoss] {
  /// One loss for each object of a step, in order of the first ones.
  ///
  /// A property of a removed super-entity is lost in the tables of several sub-entities.
  var combined: [PlannedLoss] { combined { [$0.step, $0.object] } }

  /// One loss for each step, as a user accepts it, with the object of the first one.
  package var byStep: [PlannedLoss] { combined(by: \.step) }

  private func combined<Key: Hashable>(by key: (PlannedLoss) -> Key) -> [PlannedLoss] {
    var places: [Key: Int] = [:]
    return reduce(into: []) { result, loss in
      guard let place = places[key(loss)] else {
        places[key(loss)] = result.count
        return result.append(loss)
      }
      let first = result[place]
      result[place] = PlannedLoss(
        step: first.step, object: first.object, rows: first.rows + loss.rows)
    }
  }
}
