/// Returns the candidate closest to a typed word, or `nil` if none is close.
///
/// Close means fewer than four edits, and at most one edit for two letters; otherwise all short
/// names would be close to each other. Leading dashes are ignored.
func nearest(to typed: String, among candidates: [String]) -> String? {
  let word = Array(typed.drop { $0 == "-" })
  var best: (distance: Int, candidate: String)?
  for candidate in candidates {
    let other = Array(candidate.drop { $0 == "-" })
    let distance = editDistance(word, other)
    guard distance < 4, distance * 2 <= max(word.count, other.count) else { continue }
    if distance < best?.distance ?? .max { best = (distance, candidate) }
  }
  return best?.candidate
}

/// Returns the number of letters to insert, delete, replace or transpose.
///
/// This is the optimal string alignment distance: no letter is edited twice.
///
/// - Complexity: O(*n* · *m*).
func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var distance = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        distance = min(distance, beforeLast[j - 1] + 1)
      }
      row.append(distance)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
