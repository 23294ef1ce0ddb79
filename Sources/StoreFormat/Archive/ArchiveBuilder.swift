import PropertyList

/// Collects the objects of a keyed archive.
///
/// `NSKeyedArchiver` identifies objects by address. So equal numbers, short strings and classes are
/// one object, and other equal values are separate objects.
struct ArchiveBuilder {
  /// The index of the object for `nil`.
  static let null = 0

  private var objects = [KeyedArchive.null]
  private var shared: [PropertyList: Int] = [:]
  private var texts: [TextSource: Int] = [:]
  private var classes: [String: Int] = [:]
  private var emptyDictionary: Int?

  /// The source of a text that is one object wherever a model uses it.
  enum TextSource: Hashable {
    case entity(String)
    case property(entity: String, name: String)
    case transformer(String)
  }

  func archive(root: Int) -> KeyedArchive {
    KeyedArchive(objects: objects, root: root)
  }

  /// Reserves an index for an object that its parts refer to.
  mutating func reserve() -> Int {
    objects.append(KeyedArchive.null)
    return objects.count - 1
  }

  /// Sets the object at a reserved index.
  mutating func fill(_ number: Int, _ classes: [String], _ members: [String: PropertyList]) {
    var members = members
    members["$class"] = .uid(UInt64(classNumber(classes)))
    objects[number] = .dictionary(members)
  }

  mutating func add(_ classes: [String], _ members: [String: PropertyList]) -> Int {
    let number = reserve()
    fill(number, classes, members)
    return number
  }

  /// Adds a scalar, unless an equal one exists.
  mutating func addShared(_ scalar: PropertyList) -> Int {
    if let number = shared[scalar] { return number }
    shared[scalar] = objects.count
    return addOwn(scalar)
  }

  mutating func addOwn(_ scalar: PropertyList) -> Int {
    objects.append(scalar)
    return objects.count - 1
  }

  private mutating func classNumber(_ names: [String]) -> Int {
    if let number = classes[names[0]] { return number }
    let number = addOwn(
      .dictionary([
        "$classname": .string(names[0]), "$classes": .array(names.map { .string($0) }),
      ]))
    classes[names[0]] = number
    return number
  }
}

// MARK: - Texts

extension ArchiveBuilder {
  /// Adds a text that is used once; a text short enough for a tagged pointer is shared.
  mutating func add(_ text: String) -> Int {
    isTagged(text) ? addShared(.string(text)) : addOwn(.string(text))
  }

  /// Adds a name, unless it was added from the same source.
  mutating func add(_ name: String, from source: TextSource) -> Int {
    if let number = texts[source] { return number }
    let number = add(name)
    texts[source] = number
    return number
  }
}

/// The characters of tagged pointer strings, most frequent first.
private let taggedAlphabet = Array(
  "eilotrm.apdnsIc ufkMShjTRxgC4013bDNvwyUL2O856P-B79AFKEWV_zGJ/HYX".utf8)

/// Returns whether a string fits in a tagged pointer, so that equal strings are the same object.
///
/// Apple's systems store up to seven ASCII characters, nine of the 64 most frequent ones, or eleven
/// of the 32 most frequent ones. Real archives share exactly these strings.
private func isTagged(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  switch bytes.count {
  case ...7: return bytes.allSatisfy { $0 < 0x80 }
  case ...9: return bytes.allSatisfy(taggedAlphabet.contains)
  case ...11: return bytes.allSatisfy(taggedAlphabet.prefix(32).contains)
  default: return false
  }
}

// MARK: - Collections

extension ArchiveBuilder {
  mutating func addArray(_ elements: [Int], isMutable: Bool = true) -> Int {
    let classes = ["NSMutableArray", "NSArray", "NSObject"]
    return add(Array(classes.dropFirst(isMutable ? 0 : 1)), ["NS.objects": .references(elements)])
  }

  mutating func addSet(_ elements: [Int]) -> Int {
    add(["NSSet", "NSObject"], ["NS.objects": .references(elements)])
  }

  /// Adds a dictionary; all empty immutable dictionaries are one object.
  mutating func addDictionary(_ entries: [(key: Int, value: Int)], isMutable: Bool = true) -> Int {
    if !isMutable && entries.isEmpty, let emptyDictionary { return emptyDictionary }
    let classes = ["NSMutableDictionary", "NSDictionary", "NSObject"]
    let number = add(
      Array(classes.dropFirst(isMutable ? 0 : 1)),
      [
        "NS.keys": .references(entries.map(\.key)), "NS.objects": .references(entries.map(\.value)),
      ])
    if !isMutable && entries.isEmpty { emptyDictionary = number }
    return number
  }

  /// Adds an `NSKnownKeysDictionary`, which stores its keys separately from its values.
  mutating func addKnownKeysDictionary(_ entries: [(key: Int, value: Int)]) -> Int {
    let mapping = add(
      ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
      [
        "keys": .reference(addArray(entries.map(\.key), isMutable: false)),
        "length": .integer(Int64(entries.count)), "version": .integer(1),
      ])
    return add(
      [
        "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary",
        "NSObject",
      ],
      [
        "searchMapping": .reference(mapping),
        "values": .reference(addArray(entries.map(\.value), isMutable: false)),
        "emptyToken": .reference(add("__empty_slot_token_4c24_98dc_ac1e_b773__")),
        "version": .integer(1),
      ])
  }
}

extension PropertyList {
  static func reference(_ number: Int) -> PropertyList { .uid(UInt64(number)) }

  static func references(_ numbers: [Int]) -> PropertyList {
    .array(numbers.map { .reference($0) })
  }

  static let nilReference = reference(ArchiveBuilder.null)
}
