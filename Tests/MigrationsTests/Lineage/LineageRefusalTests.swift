import Migrations
import StoreModel
import TestSupport
import Testing

/// Migration files that would lose or break something are refused before a row is read.
@Suite struct LineageRefusalTests {
  private func error(_ steps: [Step], from: String = "V6", to: String = "V7") throws
    -> LineageError?
  {
    let catalog = Catalog.bundled
    let source = try #require(catalog.version(from, of: "Lume"))
    let target = try #require(catalog.version(to, of: "Lume"))
    let bundled = try #require(
      catalog.migrations.first { $0.app == "Lume" && $0.name == "\(from)-\(to)" })
    let replaced = Set(steps.map(\.object))
    let all = bundled.steps.filter { !replaced.contains($0.object) } + steps
    let migration = Migration(app: "Lume", from: from, to: to, steps: all)
    do throws(LineageError) {
      _ = try Lineage(identityOf: source.model)
        .applying(migration, source: source.model, target: target.model)
      return nil
    } catch {
      if case .inStep(let number, let inner) = error {
        #expect((1...all.count).contains(number) && "\(error)".contains(", step \(number): "))
        return inner
      }
      return error
    }
  }

  private func refusal(_ source: Model, _ target: Model, _ steps: Step...) -> LineageError? {
    let migration = Migration(app: "Zoo", from: "V1", to: "V2", steps: steps)
    do throws(LineageError) {
      _ = try Lineage(identityOf: source).applying(migration, source: source, target: target)
      return nil
    } catch {
      if case .inStep(_, let inner) = error { return inner }
      return error
    }
  }

  private func path(_ property: String) -> PropertyPath {
    PropertyPath(entity: "SDOutboxEvent", property: property)
  }

  @Test func `two attributes of a row don't share a file of external storage`() throws {
    func zebra(_ names: String..., isExternal: Bool = true) -> Model {
      let attributes = names.map {
        Property.attribute(
          Attribute(name: $0, type: .binary, isOptional: true, allowsExternalStorage: isExternal))
      }
      return Model(
        entities: [Entity(name: "Zebra", properties: attributes)], versionIdentifiers: [],
        configurations: [:])
    }
    func path(_ name: String) -> PropertyPath { PropertyPath(entity: "Zebra", property: name) }
    let copy = Step.backfill(path("b"), from: .attribute("a", nil), where: nil)
    #expect(
      refusal(zebra("a"), zebra("a", "b"), copy)
        == .sharedFile(path("a"), path("b"), in: "V1-V2"))
    #expect(refusal(zebra("a"), zebra("b"), copy, .drop(path("a"))) == nil)
    #expect(
      refusal(
        zebra("a", "b"), zebra("a", "b"),
        .backfill(path("b"), from: .attribute("a", nil), where: .null))
        == .sharedFile(path("a"), path("b"), in: "V1-V2"))
    #expect(
      refusal(zebra("a", isExternal: false), zebra("a", "b", isExternal: false), copy) == nil)
  }

  /// Types that a column has in one form, and their values in more than one.
  private static let changes: [(from: Attribute, to: Attribute)] = {
    func attribute(_ type: AttributeType, isExternal: Bool = false) -> Attribute {
      Attribute(
        name: "value", type: type, isOptional: true, allowsExternalStorage: isExternal)
    }
    return [
      (attribute(.integer64), attribute(.integer16)), (attribute(.integer64), attribute(.boolean)),
      (attribute(.boolean), attribute(.integer16)), (attribute(.binary), attribute(.uuid)),
      (attribute(.uuid), attribute(.binary)), (attribute(.binary), attribute(.transformable)),
      (attribute(.double), attribute(.float)), (attribute(.string), attribute(.uri)),
      (attribute(.binary, isExternal: true), attribute(.binary)),
      (attribute(.binary), attribute(.binary, isExternal: true)),
    ]
  }()

  @Test(arguments: changes.indices)
  func `values aren't carried into a type that doesn't have them`(place: Int) {
    let (from, to) = Self.changes[place]
    func renamed(_ attribute: Attribute, _ name: String) -> Property {
      .attribute(
        Attribute(
          name: name, type: attribute.type, isOptional: true,
          allowsExternalStorage: attribute.allowsExternalStorage))
    }
    func model(_ entities: Entity...) -> Model {
      Model(entities: entities, versionIdentifiers: [], configurations: [:])
    }
    func path(_ name: String, _ entity: String = "Zebra") -> PropertyPath {
      PropertyPath(entity: entity, property: name)
    }
    func change(of path: PropertyPath) -> LineageError {
      .typeChange(
        path, from: StoredType(of: from).name, to: StoredType(of: to).name, in: "V1-V2")
    }
    let old = model(Entity(name: "Zebra", properties: [renamed(from, "a")]))
    let unnamed = model(Entity(name: "Zebra", properties: [renamed(to, "a")]))
    #expect(refusal(old, unnamed) == change(of: path("a")))
    let new = model(Entity(name: "Zebra", properties: [renamed(to, "b")]))
    #expect(refusal(old, new, .rename(path("a"), to: "b")) == change(of: path("b")))
    let both = model(Entity(name: "Zebra", properties: [renamed(from, "a"), renamed(to, "b")]))
    #expect(
      refusal(old, both, .backfill(path("b"), from: .attribute("a", nil), where: nil))
        == change(of: path("b")))
    #expect(
      refusal(both, both, .backfill(path("b"), from: .attribute("a", nil), where: .null))
        == change(of: path("b")))
    let (low, high) = (
      model(
        Entity(name: "Animal"),
        Entity(name: "Zebra", superentityName: "Animal", properties: [renamed(from, "a")])),
      model(
        Entity(name: "Animal", properties: [renamed(to, "a")]),
        Entity(name: "Zebra", superentityName: "Animal"))
    )
    #expect(
      refusal(low, high, .merge([path("a")], to: path("a", "Animal")))
        == change(of: path("a", "Animal")))
    let (above, below) = (
      model(
        Entity(name: "Animal", properties: [renamed(from, "a")]),
        Entity(name: "Zebra", superentityName: "Animal")),
      model(
        Entity(name: "Animal"),
        Entity(name: "Zebra", superentityName: "Animal", properties: [renamed(to, "a")]))
    )
    #expect(
      refusal(above, below, .split(path("a", "Animal"), to: [path("a")])) == change(of: path("a")))
  }

  @Test func `the bundled steps are taken`() throws {
    #expect(try error([]) == nil)
  }

  @Test func `a text isn't put where an id is expected`() throws {
    let step = Step.backfill(path("entityID"), from: .attribute("eventType", nil), where: nil)
    #expect(
      try error([step])
        == .typeChange(path("entityID"), from: "String", to: "UUID", in: "V6-V7"))
  }

  @Test func `a converter reads only what it can`() throws {
    let step = Step.convert(
      Conversion(
        entity: "SDOutboxEvent", inputs: ["payload"], outputs: ["metadata"], converter: .moodValue))
    #expect(
      try error([step])
        == .wrongInput(path("payload"), type: "Binary", converter: "mood-value", in: "V6-V7"))
  }

  @Test func `what is there isn't overwritten`() throws {
    let backfill = Step.backfill(path("status"), from: .attribute("eventType", nil), where: nil)
    #expect(try error([backfill]) == .exists("SDOutboxEvent.status", in: "V6-V7"))
    let merge = Step.merge([path("status")], to: path("errorMessage"))
    #expect(try error([merge]) == .exists("SDOutboxEvent.errorMessage", in: "V6-V7"))
  }

  @Test func `two attributes of one row aren't made one`() throws {
    let merge = Step.merge([path("errorMessage"), path("status")], to: path("eventType"))
    #expect(try error([merge]) == .mergedTwice(path("eventType"), in: "V6-V7"))
  }

  @Test func `links don't follow an entity that was dropped and added under another name`() throws {
    let catalog = Catalog.bundled
    let source = try #require(catalog.version("V10", of: "FitIQ")).model
    let target = try #require(catalog.version("V11", of: "FitIQ")).model
    let migration = Migration(
      app: "FitIQ", from: "V10", to: "V11",
      steps: [
        .addEntity("SDWorkoutTemplate"), .addEntity("SDTemplateExercise"),
        .dropEntity("SDUserProfileV10"), .addEntity("SDUserProfileV11"),
      ])
    let error = #expect(throws: LineageError.self) {
      try Lineage(identityOf: source).applying(migration, source: source, target: target)
    }
    guard case .retargeted = error else {
      Issue.record("\(error as Any)")
      return
    }
  }
}
