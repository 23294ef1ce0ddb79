import StoreModel
import Migrations
import RowRewriting
import StoreProof

/// A model with everything that rows can hold, in two versions with a migration between them.
///
/// In the second version, Toy is called Gadget, so that the sides of join tables are exchanged, and a
/// new entity comes first, so that all numbers change.
enum MenagerieModel {
  static let first = model(isSecond: false)
  static let second = model(isSecond: true)

  private static func model(isSecond: Bool) -> Model {
    let entities = [
      animal(isSecond), cat(isSecond), dog(isSecond), person(isSecond), toy(isSecond),
    ]
    return Model(
      entities: entities + (isSecond ? [Entity(name: "Acre", properties: [text("name")])] : []),
      versionIdentifiers: [isSecond ? "2.0.0" : "1.0.0"])
  }

  private static func animal(_ isSecond: Bool) -> Entity {
    Entity(
      name: "Animal", isAbstract: true,
      properties: [
        text("name"), .relationship(Relationship(name: "friend", destinationName: "Animal")),
        .relationship(
          Relationship(name: "owner", destinationName: "Person", inverseName: "pets")),
      ] + (isSecond ? [text("sound")] : []))
  }

  private static func cat(_ isSecond: Bool) -> Entity {
    Entity(
      name: "Cat", superentityName: "Animal",
      properties: [
        .attribute(Attribute(name: "lives", type: .integer16, isOptional: true)),
        text("kind"),
      ] + (isSecond ? [] : [text("sound")]))
  }

  private static func dog(_ isSecond: Bool) -> Entity {
    Entity(
      name: "Dog", superentityName: "Animal",
      properties: [text("kind")] + (isSecond ? [] : [text("sound")]))
  }

  private static func person(_ isSecond: Bool) -> Entity {
    Entity(
      name: "Person",
      properties: [
        .attribute(Attribute(name: "born", type: .date, isOptional: true)),
        .attribute(Attribute(name: "photo", type: .binary, isOptional: true)),
        text(isSecond ? "familyName" : "name", formerly: isSecond ? "name" : nil),
        .relationship(
          Relationship(
            name: "pets", destinationName: "Animal", inverseName: "owner", maxCount: 0,
            isOrdered: true)),
        .relationship(
          Relationship(
            name: isSecond ? "gadgets" : "toys", destinationName: isSecond ? "Gadget" : "Toy",
            inverseName: "users", maxCount: 0, isOrdered: true,
            renamingIdentifier: isSecond ? "toys" : nil)),
        .relationship(
          Relationship(
            name: "wishes", destinationName: isSecond ? "Gadget" : "Toy", maxCount: 0)),
      ] + (isSecond ? [text("note")] : [text("secret")]))
  }

  private static func toy(_ isSecond: Bool) -> Entity {
    Entity(
      name: isSecond ? "Gadget" : "Toy",
      properties: [
        .attribute(Attribute(name: "price", type: .decimal, isOptional: true)),
        .relationship(
          Relationship(
            name: "users", destinationName: "Person",
            inverseName: isSecond ? "gadgets" : "toys", maxCount: 0)),
      ], renamingIdentifier: isSecond ? "Toy" : nil)
  }

  private static func text(_ name: String, formerly identifier: String? = nil) -> Property {
    .attribute(
      Attribute(name: name, type: .string, isOptional: true, renamingIdentifier: identifier))
  }
}
