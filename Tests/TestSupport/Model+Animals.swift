package import StoreModel

extension Model {
  /// An animal, a dog as its sub-entity, and an owner: with an index, a link, a default and a
  /// composite.
  package static let animals = Model(
    entities: [
      Entity(
        name: "Animal", isAbstract: true,
        properties: [
          .attribute(
            Attribute(name: "name", type: .string, defaultValue: .string("unnamed animal"))),
          .attribute(
            Attribute(
              name: "place", type: .composite, elements: [Attribute(name: "town", type: .string)])),
        ], uniquenessConstraints: [["name"]]),
      Entity(
        name: "Dog", superentityName: "Animal",
        properties: [
          .relationship(
            Relationship(name: "owner", destinationName: "Person", inverseName: "dogs"))
        ]),
      Entity(
        name: "Person",
        properties: [
          .relationship(
            Relationship(name: "dogs", destinationName: "Dog", inverseName: "owner", maxCount: 0)),
          .attribute(Attribute(name: "age", type: .integer16)),
        ], indexes: [FetchIndex(name: "byAge", elements: [.init(propertyName: "age")])]),
    ], versionIdentifiers: ["1.0.0"], configurations: ["default": ["Animal", "Dog", "Person"]])
}
