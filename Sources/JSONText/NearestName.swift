/// Returns the most similar name, for a "did you mean" hint; `nil` if none is similar.
///
/// Names are similar if at most a third of the longer one has to change, or one letter in short
/// names. A change inserts, deletes or replaces a letter, or swaps two adjacent letters; case is
/// ignored. The first of equally similar names wins.
///
/// - Complexity: O(*n* · *k*²) for *n* names of length *k*.
package func nearestName(to name: String, among names: some Sequence<String>) -> String? {
  let wanted = Array(name.lowercased())
  var nearest: (name: String, distance: Int)?
  for candidate in names {
    let letters = Array(candidate.lowercased())
    let distance = editDistance(wanted, letters)
    guard distance <= max(1, max(wanted.count, letters.count) / 3),
      distance < max(wanted.count, letters.count), distance < nearest?.distance ?? .max
    else { continue }
    nearest = (candidate, distance)
  }
  return nearest?.name
}

/// Returns the optimal string alignment distance of two words.
///
/// Only three rows of the matrix are kept.
private func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in left.indices {
    var current = [row + 1]
    for column in right.indices {
      let replacing = last[column] + (left[row] == right[column] ? 0 : 1)
      var cost = min(replacing, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        cost = min(cost, beforeLast[column - 1] + 1)
      }
      current.append(cost)
    }
    (beforeLast, last) = (last, current)
  }
  return last[right.count]
}
