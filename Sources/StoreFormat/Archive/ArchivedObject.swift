import PropertyList

/// An object of a keyed archive, which resolves references to others.
///
/// Nothing is cached, so cyclic archives are harmless; a traversal must count its steps.
struct ArchivedObject {
  let archive: KeyedArchive
  let number: Int

  var value: PropertyList { archive.objects[number] }
}

extension KeyedArchive {
  var rootObject: ArchivedObject { ArchivedObject(archive: self, number: root) }
}

extension ArchivedObject {
  /// Whether the object represents `nil`.
  var isNil: Bool { number == 0 }

  /// Returns the object that a UID refers to, or `nil` for `nil` and for other values.
  func object(_ value: PropertyList?) throws(ArchiveError) -> ArchivedObject? {
    guard let reference = value?.uidValue else { return nil }
    guard reference < UInt64(archive.objects.count) else {
      throw .reference(reference, of: archive.objects.count)
    }
    let object = ArchivedObject(archive: archive, number: Int(reference))
    return object.isNil ? nil : object
  }

  /// Returns the object of a key, or `nil` if the key is missing or refers to `nil`.
  func object(_ key: String) throws(ArchiveError) -> ArchivedObject? {
    try object(value[key])
  }

  /// Returns the integer of a key, stored either inline or as a separate object.
  func integer(_ key: String) throws(ArchiveError) -> Int64? {
    if let number = value[key]?.integerValue { return number }
    return try object(key)?.value.integerValue
  }

  /// Returns whether a key exists and is true.
  func isTrue(_ key: String) throws(ArchiveError) -> Bool {
    guard let flag = try value[key]?.uidValue == nil ? value[key] : object(key)?.value else {
      return false
    }
    return flag.booleanValue ?? (flag.integerValue == 1)
  }

  /// Returns the text of a key, or `nil` if the key is missing or refers to `nil`.
  func text(_ key: String) throws(ArchiveError) -> String? {
    guard let object = try object(key) else { return nil }
    guard let text = object.text else { throw .unexpected("'\(key)'", wanted: "text") }
    // Names become part of SQL, which a NUL would end.
    guard !text.utf8.contains(0) else {
      throw .unexpected("'\(key)'", wanted: "text without NUL")
    }
    return text
  }

  /// The text of an immutable or mutable string.
  var text: String? {
    value.stringValue ?? value["NS.string"]?.stringValue
  }

  /// The class and its superclasses, most derived first; empty for scalars.
  var classNames: [String] {
    get throws(ArchiveError) {
      guard let names = try object("$class")?.value["$classes"]?.arrayValue else { return [] }
      return names.compactMap(\.stringValue)
    }
  }
}

// MARK: - Collections

extension ArchivedObject {
  /// The number of elements or keys, for counting them before they are read.
  var elementCount: Int {
    get throws(ArchiveError) {
      if let mapping = try object("searchMapping") {
        return try mapping.object("keys")?.elementCount ?? 0
      }
      return value["NS.objects"]?.arrayValue?.count ?? 0
    }
  }

  /// The elements of an array or a set, without `nil`.
  var elements: [ArchivedObject] {
    get throws(ArchiveError) {
      guard let references = value["NS.objects"]?.arrayValue else {
        throw .unexpected("object \(number)", wanted: "an array")
      }
      var elements: [ArchivedObject] = []
      for reference in references {
        if let element = try object(reference) { elements.append(element) }
      }
      return elements
    }
  }

  /// The entries of a dictionary with text keys, in archive order.
  var entries: [(key: String, value: ArchivedObject)] {
    get throws(ArchiveError) {
      var entries: [(key: String, value: ArchivedObject)] = []
      for (key, value) in try pairs {
        guard let key = key.text, !key.utf8.contains(0) else {
          throw .unexpected("a key of object \(number)", wanted: "text")
        }
        entries.append((key, value))
      }
      return entries
    }
  }

  /// The entries of a dictionary, in archive order, without `nil` keys and values.
  ///
  /// In an `NSKnownKeysDictionary`, several dictionaries share their keys, and a token marks keys
  /// without a value.
  var pairs: [(key: ArchivedObject, value: ArchivedObject)] {
    get throws(ArchiveError) {
      let (keys, values) = try keysAndValues
      guard keys.count == values.count else {
        throw .unexpected("object \(number)", wanted: "a dictionary with a value for each key")
      }
      let emptyToken = try object("emptyToken")?.number
      var pairs: [(key: ArchivedObject, value: ArchivedObject)] = []
      for (key, value) in zip(keys, values) {
        guard let value = try object(value), value.number != emptyToken else { continue }
        if let key = try object(key) { pairs.append((key, value)) }
      }
      return pairs
    }
  }

  private var keysAndValues: ([PropertyList], [PropertyList]) {
    get throws(ArchiveError) {
      if let mapping = try object("searchMapping") {
        guard
          let keys = try mapping.object("keys")?.value["NS.objects"]?.arrayValue,
          let values = try object("values")?.value["NS.objects"]?.arrayValue
        else { throw .unexpected("object \(number)", wanted: "a dictionary of known keys") }
        return (keys, values)
      }
      guard
        let keys = value["NS.keys"]?.arrayValue,
        let values = value["NS.objects"]?.arrayValue
      else { throw .unexpected("object \(number)", wanted: "a dictionary") }
      return (keys, values)
    }
  }
}
