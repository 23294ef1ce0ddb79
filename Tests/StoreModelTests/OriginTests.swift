import StoreModel
import TestSupport
import Testing

/// What a name was in another version, by names and renaming identifiers.
@Suite struct OriginTests {
  /// The versions of a property that was renamed twice, by the ways to state it.
  private static let versions: [(old: Attribute, new: Attribute)] = [
    // The name just before.
    (attribute("hue", "color"), attribute("tint", "hue")),
    // The canonical name, which stays.
    (attribute("hue", "color"), attribute("tint", "color")),
    // The two versions the other way round.
    (attribute("tint", "color"), attribute("hue", "color")),
    (attribute("hue", "color"), attribute("color")),
    // The first version, and the last.
    (attribute("color"), attribute("tint", "color")),
  ]

  private static func attribute(_ name: String, _ identifier: String? = nil) -> Attribute {
    Attribute(name: name, type: .string, isOptional: true, renamingIdentifier: identifier)
  }

  @Test(arguments: versions.indices)
  func `a renamed property keeps its values in both directions`(of place: Int) {
    let (old, new) = Self.versions[place]
    let origins = entity([new]).origins(in: entity([old]))
    #expect(origins == [new.name: old.name])
  }

  @Test func `an entity is found as a property is`() {
    let old = Model(
      entities: [Entity(name: "Auto", renamingIdentifier: "Car")], versionIdentifiers: [],
      configurations: [:])
    let new = Model(
      entities: [Entity(name: "Vehicle", renamingIdentifier: "Car")], versionIdentifiers: [],
      configurations: [:])
    #expect(new.origins(in: old) == ["Vehicle": "Auto"])
    #expect(old.origins(in: new) == ["Auto": "Vehicle"])
  }

  @Test func `a name that both versions have is the same property`() {
    let old = entity([Self.attribute("color"), Self.attribute("tint")])
    let new = entity([Self.attribute("color"), Self.attribute("hue", "color")])
    #expect(new.origins(in: old) == ["color": "color"])
  }

  @Test func `two properties don't get the values of one`() {
    let new = entity([Self.attribute("hue", "color"), Self.attribute("tint", "color")])
    #expect(new.origins(in: entity([Self.attribute("color")])) == ["hue": "color"])
  }

  @Test func `any versions give what a search of all pairs gives`() {
    var random = SeededGenerator(printing: "origins")
    for _ in 0..<2_000 {
      let (old, new) = (entity(random.attributes()), entity(random.attributes()))
      #expect(new.origins(in: old) == searched(new.attributes, old.attributes))
    }
  }

  /// Returns the former names by comparing each pair, in the order of the ways to state them.
  private func searched(_ new: [Attribute], _ old: [Attribute]) -> [String: String] {
    let ways: [(Attribute, Attribute) -> Bool] = [
      { $0.name == $1.name },
      { $0.renamingIdentifier == $1.name },
      { $0.renamingIdentifier != nil && $0.renamingIdentifier == $1.renamingIdentifier },
      { $0.name == $1.renamingIdentifier },
    ]
    var origins: [String: String] = [:]
    for way in ways {
      for attribute in new where origins[attribute.name] == nil {
        let former = old.first { former in
          // A property that stays isn't renamed.
          way(attribute, former) && !origins.values.contains(former.name)
            && (attribute.name == former.name || !new.contains { $0.name == former.name })
        }
        origins[attribute.name] = former?.name
      }
    }
    return origins
  }

  private func entity(_ attributes: [Attribute]) -> Entity {
    Entity(name: "Car", properties: attributes.map { .attribute($0) })
  }
}

extension SeededGenerator {
  /// Returns attributes with few names, so that they are often those of another version.
  fileprivate mutating func attributes() -> [Attribute] {
    let names = ["a", "b", "c", "d"]
    return names.filter { _ in below(2) == 0 }.map { name in
      let former = names[below(names.count)]
      return Attribute(
        name: name, type: .string, isOptional: true,
        renamingIdentifier: below(2) == 0 || former == name ? nil : former)
    }
  }
}
