import TestSupport

/// What steps that relink make of links, one after the other, in the plainest way.
struct RelinkInterpreter {
  typealias Form = RelinkFixture.Form
  typealias Content = RelinkFixture.Content

  /// The rule by which a row keeps one link.
  enum Keep: CaseIterable {
    case first, newest, oldest

    var text: String { self == .first ? "first" : "\(self) rank" }
  }

  /// A step of a migration: about the relationship of notes, or that of tags.
  struct Step {
    var isOfNotes: Bool

    /// `nil` if the relationship becomes to-many.
    var keep: Keep?

    var text: String {
      let keep = keep.map { #", "keep": "\#($0.text)""# } ?? ""
      return #"{ "relink": "\#(isOfNotes ? "Note.tags" : "Tag.notes")"\#(keep) }"#
    }
  }

  /// The steps from one form to another, in a random order.
  struct Plan {
    var steps: [Step] = []
    var text = ""

    init?(from old: Form, to new: Form, _ random: inout SeededGenerator) {
      var others: [String] = []
      if old.notes == .absent && new.notes != .absent { others = [#"{ "add": "Tag.notes" }"#] }
      if old.notes != .absent && new.notes == .absent { others = [#"{ "drop": "Tag.notes" }"#] }
      let changesInverse = !others.isEmpty && old.tags.isToMany && new.tags.isToMany
      if old.tags.isToMany != new.tags.isToMany || changesInverse {
        steps.append(Step(isOfNotes: true, keep: Self.keep(new.tags.isToMany, &random)))
      }
      if others.isEmpty && old.notes.isToMany != new.notes.isToMany && old.notes != .absent {
        steps.append(Step(isOfNotes: false, keep: Self.keep(new.notes.isToMany, &random)))
      }
      if steps.isEmpty { return nil }
      if random.below(2) == 0 { steps.reverse() }
      text = (others + steps.map(\.text)).joined(separator: ", ")
    }

    private static func keep(_ isToMany: Bool, _ random: inout SeededGenerator) -> Keep? {
      isToMany ? nil : Keep.allCases[random.below(3)]
    }
  }

  let content: Content
  let old: Form
  let new: Form

  /// The links that are left, as pairs of a note and a tag.
  private(set) var pairs: Set<[Int64]>

  init(_ content: Content, from old: Form, to new: Form) {
    (self.content, self.old, self.new) = (content, old, new)
    pairs = content.pairs
  }

  mutating func run(_ steps: [Step]) {
    for step in steps { if let keep = step.keep { choose(keep, isOfNotes: step.isOfNotes) } }
    // A relationship without inverse stores one note for each tag.
    let hasOneNote = new.notes == .one || new.notes == .absent && new.tags.isToMany
    for (isOfNotes, hasOne) in [(true, new.tags == .one), (false, hasOneNote)]
    where hasOne && !steps.contains(where: { $0.isOfNotes == isOfNotes && $0.keep != nil }) {
      let groups = Dictionary(grouping: pairs) { $0[isOfNotes ? 0 : 1] }
      pairs = Set(
        groups.values.compactMap { $0.min { $0[isOfNotes ? 1 : 0] < $1[isOfNotes ? 1 : 0] } })
    }
  }

  private mutating func choose(_ keep: Keep, isOfNotes: Bool) {
    for (_, group) in Dictionary(grouping: pairs, by: { $0[isOfNotes ? 0 : 1] }) {
      let order = group.sorted { left, right in
        isBefore(left, right, keep, isOfNotes: isOfNotes)
      }
      pairs.subtract(order.dropFirst())
    }
  }

  private func isBefore(
    _ left: [Int64], _ right: [Int64], _ keep: Keep, isOfNotes: Bool
  ) -> Bool {
    let values = [left, right].map { value(of: $0, keep, isOfNotes: isOfNotes) }
    guard values[0] != values[1] else { return left[isOfNotes ? 1 : 0] < right[isOfNotes ? 1 : 0] }
    guard let first = values[0] else { return false }
    guard let second = values[1] else { return true }
    return keep == .newest ? first > second : first < second
  }

  private func value(of pair: [Int64], _ keep: Keep, isOfNotes: Bool) -> Int64? {
    if keep == .first {
      let link = content.links.first { $0.pair == pair }
      return isOfNotes ? link?.tagPosition : link?.notePosition
    }
    return (isOfNotes ? content.tags[pair[1]] : content.notes[pair[0]]) ?? nil
  }

  /// The rows that a row leads to by an ordered relationship, in the order that they had.
  func order(of key: Int64, isOfNotes: Bool) -> [Int64] {
    let (own, other) = isOfNotes ? (0, 1) : (1, 0)
    return pairs.filter { $0[own] == key }.map { $0[other] }.sorted { left, right in
      let positions = [left, right].map { found in
        content.links.first { $0.pair[own] == key && $0.pair[other] == found }
          .flatMap { isOfNotes ? $0.tagPosition : $0.notePosition }
      }
      return [positions[0] ?? 0, left].lexicographicallyPrecedes([positions[1] ?? 0, right])
    }
  }

  /// Returns random rows whose links a form can hold.
  static func randomContent(_ form: Form, _ random: inout SeededGenerator) -> Content {
    var content = Content()
    for key in 1...(1 + Int64(random.below(9))) {
      content.notes[key] = .some(random.below(4) == 0 ? nil : Int64(random.below(4)))
    }
    for key in 1...(1 + Int64(random.below(9))) {
      content.tags[key] = .some(random.below(4) == 0 ? nil : Int64(random.below(4)))
    }
    let hasOneNote = form.notes == .one || form.notes == .absent && form.tags.isToMany
    for _ in 0..<random.below(30) {
      let note = 1 + Int64(random.below(content.notes.count))
      let tag = 1 + Int64(random.below(content.tags.count))
      let isTaken = content.links.contains { link in
        link.pair == [note, tag] || form.tags == .one && link.note == note
          || hasOneNote && link.tag == tag
      }
      if isTaken { continue }
      let isNoteOrdered = form.notes == .ordered
      content.links.insert(
        RelinkFixture.Link(
          note: note, tag: tag,
          notePosition: isNoteOrdered ? 1024 * Int64(1 + random.below(5)) : nil,
          tagPosition: form.tags == .ordered ? 1024 * Int64(1 + random.below(5)) : nil))
    }
    return content
  }
}
