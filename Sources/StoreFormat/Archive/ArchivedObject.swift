import PropertyList

/// One object of an archive, and the way from it to others.
///
/// Nothing is remembered between two steps, so an archive with cycles is as harmless as any: who
/// walks it has to count the steps.
struct ArchivedObject {
  let archive: KeyedArchive
  let number: Int

  var value: PropertyList { archive.objects[number] }
}

extension KeyedArchive {
  var rootObject: ArchivedObject { ArchivedObject(archive: self, number: root) }
}

extension ArchivedObject {
  /// A Boolean value indicating whether this is the object that stands for nil.
  var isNil: Bool { number == 0 }

  /// The object that a value refers to; none for anything but a UID, and for nil.
  func object(_ value: PropertyList?) throws(ArchiveError) -> ArchivedObject? {
    guard let reference = value?.uidValue else { return nil }
    guard reference < UInt64(archive.objects.count) else {
      throw .reference(reference, of: archive.objects.count)
    }
    let object = ArchivedObject(archive: archive, number: Int(reference))
    return object.isNil ? nil : object
  }

  /// The object that a key refers to; none where the key is missing or refers to nil.
  func object(_ key: String) throws(ArchiveError) -> ArchivedObject? {
    try object(value[key])
  }

  /// The number of a key, wherever it stands: in the object, or as an object of its own.
  func integer(_ key: String) throws(ArchiveError) -> Int64? {
    if let number = value[key]?.integerValue { return number }
    return try object(key)?.value.integerValue
  }

  /// A Boolean value indicating whether a key is there and true.
  func isTrue(_ key: String) throws(ArchiveError) -> Bool {
    guard let flag = try value[key]?.uidValue == nil ? value[key] : object(key)?.value else {
      return false
    }
    return flag.booleanValue ?? (flag.integerValue == 1)
  }

  /// The text of a key; none where the key is missing or refers to nil.
  func text(_ key: String) throws(ArchiveError) -> String? {
    guard let object = try object(key) else { return nil }
    guard let text = object.text else { throw .unexpected("'\(key)'", wanted: "text") }
    // Names become SQL, which a NUL would end.
    guard !text.utf8.contains(0) else {
      throw .unexpected("'\(key)'", wanted: "text without NUL")
    }
    return text
  }

  /// The text, of an immutable or a mutable string.
  var text: String? {
    value.stringValue ?? value["NS.string"]?.stringValue
  }

  /// The classes of the object, from its own upwards; none for a scalar.
  var classNames: [String] {
    get throws(ArchiveError) {
      guard let names = try object("$class")?.value["$classes"]?.arrayValue else { return [] }
      return names.compactMap(\.stringValue)
    }
  }
}

// MARK: - Collections

extension ArchivedObject {
  /// How many elements or keys the object has, so that they can be paid for before they are read.
  var elementCount: Int {
    get throws(ArchiveError) {
      if let mapping = try object("searchMapping") {
        return try mapping.object("keys")?.elementCount ?? 0
      }
      return value["NS.objects"]?.arrayValue?.count ?? 0
    }
  }

  /// The elements of an array or a set; nil among them is left out.
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

  /// The keys and values of a dictionary whose keys are names, in the order of the archive.
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

  /// The keys and values of a dictionary, in the order of the archive; those of nil are left out.
  ///
  /// Besides the usual kind there is one that shares its keys with others of the same shape; a key
  /// without a value has a marker there in place of it.
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
