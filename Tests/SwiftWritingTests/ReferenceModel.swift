import StoreModel

/// A model with one of each kind of property, and the text that is expected for it.
enum ReferenceModel {
  static let model = Model(
    entities: [
      Entity(
        name: "Date",
        properties: [
          .attribute(Attribute(name: "default", type: .date, defaultValue: .date(0.5))),
          .attribute(
            Attribute(
              name: "tags", type: .transformable, valueClassName: "Array<String>",
              valueTransformerName: "NSSecureUnarchiveFromData")),
          .relationship(
            Relationship(name: "items", destinationName: "Item", inverseName: "date", maxCount: 0)),
          .relationship(Relationship(name: "other", destinationName: "Item")),
        ]),
      Entity(
        name: "Item",
        properties: [
          .attribute(Attribute(name: "count", type: .integer16, defaultValue: .integer(1))),
          .attribute(
            Attribute(name: "photo", type: .binary, isOptional: true, allowsExternalStorage: true)),
          .attribute(Attribute(name: "sku", type: .string, renamingIdentifier: "code")),
          .attribute(
            Attribute(
              name: "state", type: .composite,
              elements: [
                Attribute(name: "state", type: .string, isOptional: true)
              ], userInfo: ["EnumType": .boolean(true)])),
          .relationship(
            Relationship(
              name: "date", destinationName: "Date", inverseName: "items", deleteRule: .cascade)),
        ], uniquenessConstraints: [["sku"]]),
    ], versionIdentifiers: ["2.0.0"])

  static let expectedText = #"""
    enum ShopSchemaV2: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)

      static var models: [any PersistentModel.Type] {
        [
          Date.self,
          Item.self,
        ]
      }

      @Model
      final class Date {
        var `default`: Foundation.Date = Foundation.Date.now
        var tags: [String]
        var items: [Item]?
        @Relationship var other: Item?

        init(`default`: Foundation.Date = Foundation.Date.now, tags: [String]) {
          self.`default` = `default`
          self.tags = tags
        }
      }

      @Model
      final class Item {
        // The model doesn't have the cases of this enum: replace 'placeholder' by the app's.
        enum State: String, Codable, Hashable {
          case placeholder
        }

        var count: Int16 = 1
        @Attribute(.externalStorage) var photo: Data?
        @Attribute(.unique, originalName: "code") var sku: String
        var state: State
        @Relationship(deleteRule: .cascade, inverse: \Date.items) var date: Date?

        init(count: Int16 = 1, sku: String, state: State) {
          self.count = count
          self.sku = sku
          self.state = state
        }
      }
    }
    """#

  static let inexpressible = Model(
    entities: [
      Entity(
        name: "Base", isAbstract: true,
        properties: [
          .attribute(Attribute(name: "a b", type: .string)),
          .attribute(Attribute(name: "self", type: .string, isReadOnly: true)),
          .fetched(name: "recent"),
        ], compoundIndexes: [["a b"]], versionHashModifier: "2"),
      Entity(
        name: "Leaf", superentityName: "Base",
        properties: [
          .attribute(Attribute(name: "_size", type: .double, isDerived: true)),
          .attribute(Attribute(name: "size", type: .codable)),
          .attribute(
            Attribute(
              name: "place", type: .composite,
              elements: [
                Attribute(name: "town", type: .string), Attribute(name: "x", type: .transformable),
              ])),
          .relationship(
            Relationship(
              name: "friend", destinationName: "Leaf", inverseName: "friend", isOrdered: true)),
          .relationship(Relationship(name: "base", destinationName: "Base", inverseName: "leaves")),
        ],
        indexes: [
          FetchIndex(
            name: "bySize", elements: [.init(propertyName: "size", isAscending: false)])
        ]),
      Entity(name: "Swift"),
    ])

  static let expectedLimits = [
    "'Base' is an abstract entity; SwiftData has none",
    "'Base' has the hash modifier '2'; SwiftData has none for classes",
    "'Base' has the compound index 'a b' in the form before iOS 11",
    "'Base.a b' has a name that isn't one in Swift",
    "'Base.recent' is a fetched property; SwiftData has none",
    "'Base.self' has a name that a SwiftData class can't have",
    "'Base.self' is a read-only attribute; SwiftData has none",
    "'Leaf' has the descending index 'bySize'; SwiftData's are ascending",
    "'Leaf._size' has the name under which '@Model' stores 'size'",
    "'Leaf._size' is a derived attribute; SwiftData has none",
    "'Leaf.base' names the inverse 'leaves', which doesn't name it",
    "'Leaf.friend' is an ordered relationship; SwiftData has none",
    "'Leaf.friend' is its own inverse; a macro that names its own property doesn't compile",
    "'Leaf.place' has the mandatory element 'town'; SwiftData makes the elements of a struct optional",
    "'Leaf.place' has the element 'x' of type Transformable; a Codable struct has none",
    "'Leaf.place' has the mandatory element 'x'; SwiftData makes the elements of a struct optional",
    "'Leaf.size' has the type Codable (2200), whose declaration isn't known",
    "'Swift' has a name that a class of a versioned schema can't have",
  ]
}
