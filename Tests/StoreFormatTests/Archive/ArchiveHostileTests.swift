import Platform
import PropertyList
import StoreFormat
import StoreModel
import TestSupport
import Testing

@Suite struct ArchiveHostileTests {
  private func failure(_ edit: (inout ArchiveEditor) throws -> Void) throws -> String? {
    var editor = try ArchiveEditor(KeyedArchive(.animals))
    try edit(&editor)
    let archive = try editor.archive()
    let error = #expect(throws: ArchiveError.self) { try Model(archive) }
    return error?.description
  }

  @Test func `the archive that the others are made from is a model`() throws {
    #expect(try Model(KeyedArchive(.animals)) == .animals)
  }

  @Test func `entities that inherit from each other are refused`() throws {
    let problem = try failure { editor in
      let dog = try editor.number("NSEntityName", "Dog")
      let animal = try editor.number("NSEntityName", "Animal")
      try editor.set(animal, "NSSuperentity", .uid(UInt64(dog)))
    }
    #expect(problem?.hasSuffix("' inherits from itself") == true)
  }

  @Test func `an entity above that is not of the model is refused`() throws {
    let problem = try failure { editor in
      let dog = try editor.number("NSEntityName", "Dog")
      let name = editor.add(.string("Cat"))
      let stranger = editor.add(.dictionary(["NSEntityName": name]))
      try editor.set(dog, "NSSuperentity", stranger)
    }
    #expect(problem == "'Dog' refers to unknown entity 'Cat'")
  }

  @Test func `two entities of one name are refused`() throws {
    let problem = try failure { editor in
      let keys = try #require(
        editor.objects.firstIndex { object in
          let names = object["NS.objects"]?.arrayValue?.compactMap(\.uidValue) ?? []
          return names.map { editor.objects[Int($0)].stringValue } == ["Animal", "Dog", "Person"]
        })
      let names = try #require(editor.objects[keys]["NS.objects"]?.arrayValue)
      try editor.set(keys, "NS.objects", .array([names[0], names[1], names[1]]))
      let person = try editor.number("NSEntityName", "Person")
      try editor.set(person, "NSEntityName", names[1])
    }
    #expect(problem == "duplicate name 'Dog'")
  }

  @Test(arguments: [
    ("NSEntityName", "Dog", "the key of 'cat' is not its name"),
    ("NSPropertyName", "age", "the key of 'Person.cat' is not its name"),
  ])
  func `a name that is not the key it is listed under is refused`(
    key: String, name: String, problem: String
  ) throws {
    let found = try failure { editor in
      let other = editor.add(.string("cat"))
      try editor.set(editor.number(key, name), key, other)
    }
    #expect(found == problem)
  }

  @Test(arguments: [
    ("NSEntityName", "Dog", "NSProperties"), ("NSEntityName", "Dog", "NSSuperentity"),
    ("NSEntityName", "Dog", "NSUserInfo"), ("NSEntityName", "Animal", "NSUniqueTuples"),
    ("NSPropertyName", "age", "$class"), ("NSPropertyName", "owner", "NSDestinationEntity"),
    ("NSPropertyName", "name", "NSDefaultValue"), ("NSIndexName", "byAge", "NSIndexElements"),
  ])
  func `a reference that leads nowhere is refused`(
    nameKey: String, name: String, key: String
  ) throws {
    let problem = try failure { editor in
      try editor.set(editor.number(nameKey, name), key, .uid(9_999))
    }
    #expect(problem?.hasPrefix("reference to object 9999 of ") == true)
  }

  @Test(arguments: [
    ("NSEntityName", "Dog", "NSProperties", "is not a dictionary"),
    ("NSEntityName", "Animal", "NSUniqueTuples", "is not an array"),
    ("NSEntityName", "Dog", "NSClassNameForEntity", "'NSClassNameForEntity' is not text"),
    ("NSPropertyName", "age", "$class", "'Person.age' is not an attribute or a relationship"),
    ("NSPropertyName", "age", "NSRenamingIdentifier", "'NSRenamingIdentifier' is not text"),
    ("NSIndexName", "byAge", "NSIndexName", "'NSIndexName' is not text"),
    ("NSPropertyName", "place", "NSCompositeElements", "is not an array"),
  ])
  func `an object of the wrong type is refused`(
    nameKey: String, name: String, key: String, problem: String
  ) throws {
    let found = try failure { editor in
      let stranger = editor.add(.integer(5))
      try editor.set(editor.number(nameKey, name), key, stranger)
    }
    #expect(found?.hasSuffix(problem) == true, "\(found ?? "nothing")")
  }

  @Test(
    arguments: [
      (
        "age", "NSAttributeType", 2300,
        "the attribute 'Person.age' has the unknown type 2300"
      ),
      (
        "age", "NSAttributeType", -1,
        "the attribute 'Person.age' has the unknown type -1"
      ),
      (
        "owner", "NSDeleteRule", 9,
        "the relationship 'Dog.owner' has the unknown delete rule 9"
      ),
    ] as [(String, String, Int64, String)])
  func `a number that means nothing is refused`(
    name: String, key: String, number: Int64, problem: String
  ) throws {
    let found = try failure { editor in
      try editor.set(editor.number("NSPropertyName", name), key, .integer(number))
    }
    #expect(found == problem)
  }

  @Test func `a default value that contains itself is refused`() throws {
    let problem = try failure { editor in
      let array = editor.addClass("NSArray", "NSObject")
      let itself = PropertyList.uid(UInt64(editor.objects.count))
      _ = editor.add(.dictionary(["$class": array, "NS.objects": .array([itself])]))
      try editor.set(editor.number("NSPropertyName", "age"), "NSDefaultValue", itself)
    }
    #expect(problem == "it expands to more parts than a model can have")
  }

  @Test func `sharing upon sharing is refused instead of unfolded`() throws {
    let problem = try failure { editor in
      let array = editor.addClass("NSArray", "NSObject")
      var inner = editor.add(.string("ha"))
      for _ in 0..<40 {
        let elements = PropertyList.array(Array(repeating: inner, count: 10))
        inner = editor.add(.dictionary(["$class": array, "NS.objects": elements]))
      }
      try editor.set(editor.number("NSPropertyName", "age"), "NSDefaultValue", inner)
    }
    #expect(problem == "it expands to more parts than a model can have")
  }

  @Test func `a composite that contains itself is refused`() throws {
    let problem = try failure { editor in
      let number = try editor.number("NSPropertyName", "place")
      let elements = try #require(editor.objects[number]["NSCompositeElements"]?.uidValue)
      try editor.set(Int(elements), "NS.objects", .array([.uid(UInt64(number))]))
    }
    #expect(problem == "it expands to more parts than a model can have")
  }

  @Test(
    arguments: [
      ("$archiver", .string("NSArchiver"), "'$archiver' isn't NSKeyedArchiver"),
      ("$version", .integer(1), "'$version' isn't 100000"),
      ("$objects", .array([]), "'$objects' doesn't start with $null"),
      ("$top", .dictionary([:]), "'$top' has no root"),
    ] as [(String, PropertyList, String)])
  func `a property list that is no archive is refused`(
    key: String, value: PropertyList, problem: String
  ) throws {
    var members = try #require(KeyedArchive(.animals).propertyList.dictionaryValue)
    members[key] = value
    let error = #expect(throws: ArchiveError.self) { try KeyedArchive(.dictionary(members)) }
    #expect(error?.description == "it isn't a keyed archive: \(problem)")
  }

  @Test func `an archive of something else is refused`() throws {
    let error = #expect(throws: ArchiveError.self) {
      try Model(KeyedArchive(value: .string("model")))
    }
    #expect(error?.description == "the root is not an NSManagedObjectModel")
  }

  @Test func `a damaged cache is refused`() throws {
    let cache = try ModelCache.encode(.animals)
    for (bytes, problem) in [
      ([], "the compressed data is truncated"),
      (Array(cache.dropLast(9)), "the compressed data is truncated"),
      (cache + [0], "1 extra bytes follow the compressed data"),
      (
        deflateRaw(Array("text".utf8)),
        "byte 0: not a binary property list; it doesn't start with 'bplist00'"
      ),
      (
        deflateRaw(Array(repeating: 0, count: 5 << 20), level: 1),
        "the decompressed data is larger than 4194304 bytes"
      ),
    ] {
      let error = #expect(throws: ArchiveError.self) { try ModelCache.decode(bytes) }
      #expect(error?.description == problem)
    }
  }

  @Test(arguments: (0..<40).map { UInt64($0) })
  func `a damaged archive gives a model or an error, and a model can be written or not`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    let whole = try ArchiveEditor(KeyedArchive(.animals))
    for _ in 0..<50 {
      var editor = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) { editor.damage(using: &generator) }
      let model: Model
      do {
        model = try Model(editor.archive())
      } catch {
        #expect(error is ArchiveError, "seed \(seed)")
        continue
      }
      guard let written = try? KeyedArchive(model) else { continue }
      #expect(try Model(written).entities == model.entities, "seed \(seed)")
    }
  }
}

extension ArchiveEditor {
  /// Changes a reference, number or flag of an object, or removes a member.
  fileprivate mutating func damage(using generator: inout SeededGenerator) {
    let number = Int.random(in: 1..<objects.count, using: &generator)
    guard var members = objects[number].dictionaryValue, !members.isEmpty else {
      objects[number] = objects[Int.random(in: 0..<objects.count, using: &generator)]
      return
    }
    let keys = members.keys.sorted()
    let key = keys[Int.random(in: 0..<keys.count, using: &generator)]
    let anywhere = PropertyList.uid(
      UInt64.random(in: 0..<UInt64(objects.count + 1), using: &generator))
    switch (Int.random(in: 0...3, using: &generator), members[key]) {
    case (0, _): members[key] = nil
    case (1, .integer): members[key] = .integer(Int64.random(in: -3...3000, using: &generator))
    case (_, .array(var elements)) where !elements.isEmpty:
      elements[Int.random(in: 0..<elements.count, using: &generator)] = anywhere
      members[key] = .array(elements)
    default: members[key] = anywhere
    }
    objects[number] = .dictionary(members)
  }
}
