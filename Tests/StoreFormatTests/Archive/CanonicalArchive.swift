import PropertyList
import StoreFormat

/// The common and the different objects of two archives, regardless of their order.
///
/// Each object gets a label for its content, in which the labels of other objects replace
/// references. This repeats until no more objects can be distinguished. Equal archives have the
/// same labels, each the same number of times.
struct ArchiveDifference {
  private(set) var onlyLeft: [String] = []
  private(set) var onlyRight: [String] = []

  var isEmpty: Bool { onlyLeft.isEmpty && onlyRight.isEmpty }

  init(_ left: KeyedArchive, _ right: KeyedArchive) {
    var labels: [String: Int] = [:]
    var (leftLabels, rightLabels) = (Self.start(left), Self.start(right))
    var count = 0
    while true {
      leftLabels = Self.refine(left, leftLabels, &labels)
      rightLabels = Self.refine(right, rightLabels, &labels)
      let distinct = Set(leftLabels).union(rightLabels).count
      if distinct == count { break }
      count = distinct
    }
    var counts: [Int: Int] = [:]
    for label in leftLabels { counts[label, default: 0] += 1 }
    for label in rightLabels { counts[label, default: 0] -= 1 }
    onlyLeft = Self.describe(left, leftLabels) { counts[$0, default: 0] > 0 }
    onlyRight = Self.describe(right, rightLabels) { counts[$0, default: 0] < 0 }
  }

  private static func start(_ archive: KeyedArchive) -> [Int] {
    Array(repeating: 0, count: archive.objects.count)
  }

  private static func refine(
    _ archive: KeyedArchive, _ old: [Int], _ labels: inout [String: Int]
  ) -> [Int] {
    archive.objects.enumerated().map { number, object in
      let mark = number == archive.root ? "root " : ""
      let text = "\(mark)\(old[number]) \(Self.text(object, old, in: archive))"
      if let label = labels[text] { return label }
      labels[text] = labels.count + 1
      return labels.count
    }
  }

  private static func text(
    _ value: PropertyList, _ labels: [Int], in archive: KeyedArchive
  ) -> String {
    switch value {
    case .uid(let number): "<\(labels[Int(number)])>"
    case .array(let elements):
      "[" + elements.map { text($0, labels, in: archive) }.joined(separator: ",") + "]"
    case .dictionary(let entries): dictionaryText(entries, labels, in: archive)
    default: "\(value)"
    }
  }

  /// Entries of dictionaries and elements of sets have no order.
  private static func dictionaryText(
    _ entries: [String: PropertyList], _ labels: [Int], in archive: KeyedArchive
  ) -> String {
    func texts(_ key: String) -> [String]? {
      entries[key]?.arrayValue?.map { text($0, labels, in: archive) }
    }
    var parts = entries.filter { $0.key != "NS.keys" && $0.key != "NS.objects" }.map {
      "\($0): \(text($1, labels, in: archive))"
    }
    let className = entries["$class"]?.uidValue.map { archive.objects[Int($0)]["$classname"] }
    if let elements = texts("NS.objects") {
      if let keys = texts("NS.keys") {
        parts.append("pairs: \(zip(keys, elements).map { "\($0)=\($1)" }.sorted())")
      } else {
        let isSet = className??.stringValue?.hasSuffix("Set") == true
        parts.append("elements: \(isSet ? elements.sorted() : elements)")
      }
    }
    return "{\(parts.sorted())}"
  }

  private static func describe(
    _ archive: KeyedArchive, _ labels: [Int], where isWanted: (Int) -> Bool
  ) -> [String] {
    zip(archive.objects, labels).filter { isWanted($1) }.map { "\($0.0)" }
  }
}
