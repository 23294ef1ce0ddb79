import Migrations
import StoreModel
import Testing

@Suite struct InferredMigrationTests {
  private func version(_ name: String, _ attributes: [Attribute]) -> ModelVersion {
    let zebra = Entity(name: "Zebra", properties: attributes.map { .attribute($0) })
    let model = Model(
      entities: [zebra], versionIdentifiers: [name], configurations: ["default": ["Zebra"]])
    return ModelVersion(SchemaFile(app: "Zoo", version: name, model: model))
  }

  @Test func `what only the app can migrate is told before what is left to decide`() throws {
    let friends = [("friends", "friendOf"), ("friendOf", "friends")].map { name, inverse in
      Property.relationship(
        Relationship(name: name, destinationName: "Zebra", inverseName: inverse, maxCount: 0))
    }
    let model = Model(
      entities: [
        Entity(
          name: "Zebra", superentityName: "Animal",
          properties: [.attribute(Attribute(name: "born", type: .date))] + friends),
        Entity(
          name: "Animal",
          properties: [.attribute(Attribute(name: "name", type: .string, isOptional: true))]),
      ], versionIdentifiers: ["V2"], configurations: [:])
    let changes = UnsupportedChange.all(from: version("V1", []).model, to: model)
    #expect(
      changes.map(\.description) == [
        "'Zebra' gets the new super-entity 'Animal', which has properties",
        "'Zebra.friendOf' needs a new table: it is a many-to-many relationship within one entity, "
          + "and which side names that table differs from store to store",
      ])
  }

  @Test func `an entity doesn't leave a super-entity that is kept`() {
    func model(_ entities: (String, String?)...) -> Model {
      Model(
        entities: entities.map { Entity(name: $0, superentityName: $1) }, versionIdentifiers: [],
        configurations: [:])
    }
    func changes(_ old: Model, _ new: Model) -> [UnsupportedChange] {
      let changes = UnsupportedChange.all(from: old, to: new)
      #expect(Lineage(identityOf: old).unsupportedChanges(from: old, to: new) == changes)
      return changes
    }
    let old = model(("Animal", nil), ("Horse", "Animal"), ("Zebra", "Horse"))
    #expect(
      changes(old, model(("Animal", nil), ("Horse", "Animal"), ("Zebra", nil)))
        == [.leftSuperentity("Animal", of: "Zebra")])
    #expect(
      changes(old, model(("Horse", nil), ("Zebra", nil))) == [
        .leftSuperentity("Horse", of: "Zebra")
      ])
    #expect(changes(old, model(("Animal", nil), ("Horse", "Animal"), ("Zebra", "Animal"))) == [])
    #expect(changes(old, model(("Zebra", nil))) == [])
    // In one table, the values that an entity loses would stay where it doesn't have them.
    func model(_ zebra: String, horse: [String], beside steps: [String]) -> Model {
      func text(_ name: String) -> Property {
        .attribute(Attribute(name: name, type: .string, isOptional: true))
      }
      return Model(
        entities: [
          Entity(name: "Animal", properties: steps.map(text)),
          Entity(name: "Horse", superentityName: "Animal", properties: horse.map(text)),
          Entity(name: "Zebra", superentityName: zebra),
        ], versionIdentifiers: [], configurations: [:])
    }
    let under = model("Horse", horse: ["race"], beside: ["name"])
    #expect(
      changes(under, model("Animal", horse: ["race"], beside: ["name"]))
        == [.leftSuperentity("Horse", of: "Zebra")])
    #expect(
      changes(model("Horse", horse: [], beside: []), model("Animal", horse: [], beside: [])) == [])
    let siblings = model(("Animal", nil), ("Horse", "Animal"), ("Zebra", "Animal"))
    #expect(changes(siblings, model(("Horse", nil), ("Zebra", nil))) == [])
  }

  @Test func `a file for another model of the same name isn't used`() throws {
    func attribute(_ name: String) -> Attribute {
      Attribute(name: name, type: .string, isOptional: true)
    }
    let names = ["age", "name"].map { version("V1", [attribute($0)]) }
    let new = version("V2", [attribute("name"), attribute("note")])
    let target = SchemaFile(app: "Zoo", version: "V2", model: new.model)
    let migration = Migration(
      app: "Zoo", from: "V1", to: "V2",
      steps: ["name", "note"].map {
        .add(PropertyPath(entity: "Zebra", property: $0), value: .string("file"))
      } + [.drop(PropertyPath(entity: "Zebra", property: "age"))])
    let catalog = Catalog(versions: [names[0], new], migrations: [migration])
    let request = MigrationRequest(schema: target)
    let known = try Route(from: names[0], to: request, catalog: catalog)
    #expect(known.migrations == [migration])
    #expect(throws: VersionError.namesake("V1", to: "V2")) {
      try Route(from: names[1], to: request, catalog: catalog)
    }
  }

  @Test func `a file that names one of the versions otherwise is told, and not used`() throws {
    let born = Attribute(name: "born", type: .date, isOptional: true)
    let (old, new) = (version("V1", []), version("V2", [born]))
    let request = MigrationRequest(
      schema: SchemaFile(app: "Zoo", version: "V2", model: new.model))
    func unused(_ files: (String, String)..., knowing others: [ModelVersion] = []) throws
      -> [String]
    {
      let migrations = files.map { Migration(app: "Zoo", from: $0, to: $1, steps: []) }
      let catalog = Catalog(versions: [old] + others, migrations: migrations)
      return try Route(from: old, to: request, catalog: catalog).unusedMigrations.map(\.name)
    }
    #expect(try unused(("1.0", "V2")) == ["1.0-V2"])
    #expect(try unused(("V1", "2.0"), ("3.0", "4.0")) == ["V1-2.0"])
    // Those of versions that have a model are of other stores.
    #expect(try unused(("V0", "V2"), knowing: [version("V0", [born])]) == [])
    let mandatory = version("V2", [Attribute(name: "born", type: .date)])
    let error = #expect(throws: VersionError.self) {
      try Route(
        from: old,
        to: MigrationRequest(
          schema: SchemaFile(app: "Zoo", version: "V2", model: mandatory.model)),
        catalog: Catalog(
          versions: [old], migrations: [Migration(app: "Zoo", from: "1.0", to: "V2", steps: [])]))
    }
    #expect(error?.description.contains("the migration file '1.0-V2' isn't used") == true)
  }

  @Test func `a property that was renamed twice, or back, keeps its values`() throws {
    func attribute(_ name: String, _ identifier: String?) -> Attribute {
      Attribute(name: name, type: .string, isOptional: true, renamingIdentifier: identifier)
    }
    let versions = [
      version("V1", [attribute("name", nil)]), version("V2", [attribute("title", "name")]),
      version("V3", [attribute("label", "name")]),
    ]
    for (from, to) in [(0, 1), (1, 2), (0, 2), (2, 1), (1, 0), (2, 0)] {
      let migration = InferredMigration(from: versions[from], to: versions[to]).migration
      #expect(migration.steps.map(\.verb) == ["rename"])
      let effects = AppMigration(from: versions[from].model, to: versions[to].model).effects
      #expect(effects == [])
    }
  }

  @Test func `an attribute that moves in its hierarchy becomes one other, by its name first`() {
    func text(_ name: String, _ identifier: String? = nil) -> Property {
      .attribute(
        Attribute(name: name, type: .string, isOptional: true, renamingIdentifier: identifier))
    }
    func version(_ name: String, _ pet: [Property], _ dog: [Property]) -> ModelVersion {
      let entities = [
        Entity(name: "Pet", properties: pet),
        Entity(name: "Dog", superentityName: "Pet", properties: dog),
      ]
      let model = Model(entities: entities, versionIdentifiers: [name], configurations: [:])
      return ModelVersion(SchemaFile(app: "Zoo", version: name, model: model))
    }
    let both = [text("call"), text("bark", "call")]
    func steps(_ old: ModelVersion, _ new: ModelVersion) -> [Step] {
      InferredMigration(from: old, to: new).migration.steps
    }
    let (pet, dog) = (
      PropertyPath(entity: "Pet", property: "call"), PropertyPath(entity: "Dog", property: "call")
    )
    #expect(
      steps(version("V1", [text("call")], []), version("V2", [], both))
        == [
          .split(pet, to: [dog]), .add(PropertyPath(entity: "Dog", property: "bark"), value: nil),
        ])
    #expect(
      steps(version("V1", [], [text("call")]), version("V2", both, []))
        == [
          .merge([dog], to: pet), .add(PropertyPath(entity: "Pet", property: "bark"), value: nil),
        ])
  }

  @Test(arguments: ["Zoo", "Menagerie"])
  func `a store and its target are two versions of one app, whatever their files are called`(
    app: String
  ) throws {
    let target = version("V1", [Attribute(name: "born", type: .date, isOptional: true)])
    let schema = SchemaFile(app: app, version: "V1", model: target.model)
    let route = try Route(
      from: version("V1", []), to: MigrationRequest(schema: schema),
      catalog: Catalog(versions: [], migrations: []))
    #expect(route.source.app == "Zoo" && route.target.app == "Zoo")
    #expect(route.source.name == "unnamed" && route.target.name == "V1")
    #expect(route.migrations.flatMap(\.steps).map(\.verb) == ["add"])
  }

  @Test func `a model without an entity of the store is another app's`() throws {
    let trip = Model(
      entities: [Entity(name: "Trip")], versionIdentifiers: ["V1"], configurations: [:])
    let request = MigrationRequest(schema: SchemaFile(app: "Travel", version: "V1", model: trip))
    let error = #expect(throws: VersionError.self) {
      try Route(
        from: version("V1", []), to: request, catalog: Catalog(versions: [], migrations: []))
    }
    #expect(error == .unrelated(from: "unnamed", to: "V1"))
  }

  @Test func `an inverse may give rows the super-entity that they had`() throws {
    let name = Property.attribute(Attribute(name: "name", type: .string, isOptional: true))
    let animals = Model(
      entities: [
        Entity(name: "Animal", properties: [name]),
        Entity(name: "Zebra", superentityName: "Animal"),
      ], versionIdentifiers: ["V1"], configurations: [:])
    let old = ModelVersion(SchemaFile(app: "Zoo", version: "V1", model: animals))
    let new = version("V2", [])
    let migration = InferredMigration(from: old, to: new).migration
    let catalog = Catalog(versions: [old, new], migrations: [migration])
    let route = try Route(from: old, to: new, following: [migration], catalog)
    #expect(try route.inverse(in: catalog).target == old)
  }

  @Test func `an inverse has a place for what later rows have of a super-entity`() throws {
    func version(_ name: String, zebra parent: String, horse: [String]) -> ModelVersion {
      let horse = horse.map {
        Property.attribute(Attribute(name: $0, type: .string, isOptional: true))
      }
      let model = Model(
        entities: [
          Entity(name: "Animal"),
          Entity(name: "Horse", superentityName: "Animal", properties: horse),
          Entity(name: "Zebra", superentityName: parent),
        ], versionIdentifiers: [name], configurations: [:])
      return ModelVersion(SchemaFile(app: "Zoo", version: name, model: model))
    }
    for horse in [["race"], []] {
      let old = version("V1", zebra: "Animal", horse: horse)
      let new = version("V2", zebra: "Horse", horse: horse)
      let migration = Migration(app: "Zoo", from: "V1", to: "V2", steps: [])
      let catalog = Catalog(versions: [old, new], migrations: [migration])
      let route = try Route(from: old, to: new, following: [migration], catalog)
      guard !horse.isEmpty else {
        #expect(try route.inverse(in: catalog).target == old)
        continue
      }
      #expect(throws: LineageError.leavesSuperentity("Horse", of: "Zebra", in: "V2-V1")) {
        try route.inverse(in: catalog)
      }
    }
  }

  @Test func `what the models don't tell is left to decide`() throws {
    let inferred = InferredMigration(
      from: version("V1", [Attribute(name: "name", type: .string, isOptional: true)]),
      to: version(
        "V2", [Attribute(name: "name", type: .integer64), Attribute(name: "born", type: .date)]))
    #expect(
      inferred.openQuestions.map { "\($0.object): \($0.reason)" } == [
        "Zebra.born: it is a new mandatory Date without a default",
        "Zebra.name: it changes from String to Integer 64",
      ])
    let text = inferred.migration.text(questions: inferred.openQuestions)
    let error = #expect(throws: (any Error).self) {
      try Migration(parsing: Array(text.utf8), file: "V1-V2.json")
    }
    #expect(
      error.map { "\($0)" }
        == "V1-V2.json:8:17: error: 2 steps are undecided; "
        + "write what happens instead to 'Zebra.born' (line 8), 'Zebra.name' (line 9)")
  }
}
