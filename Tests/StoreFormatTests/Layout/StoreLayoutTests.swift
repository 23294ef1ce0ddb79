import StoreFormat
import StoreModel
import Testing

/// The rules of `StoreFormat.md` §4–7, for models small enough to check by hand.
@Suite struct StoreLayoutTests {
  private func attribute(_ name: String, _ type: AttributeType) -> Property {
    .attribute(Attribute(name: name, type: type))
  }

  private func toOne(_ name: String, _ destination: String, inverse: String? = nil) -> Property {
    .relationship(Relationship(name: name, destinationName: destination, inverseName: inverse))
  }

  private func toMany(
    _ name: String, _ destination: String, inverse: String? = nil, isOrdered: Bool = false
  ) -> Property {
    .relationship(
      Relationship(
        name: name, destinationName: destination, inverseName: inverse, maxCount: 0,
        isOrdered: isOrdered))
  }

  private func statements(_ entities: [Entity]) -> [String] {
    let layout = StoreLayout(Model(entities: entities))
    return layout.tables.map(\.createStatement) + layout.joinTables.map(\.createStatement)
      + layout.indexes.map(\.createStatement)
  }

  @Test func `columns stand in groups by type and in the groups by name`() {
    let types: [(String, AttributeType)] = [
      ("a", .binary), ("b", .transformable), ("c", .uuid), ("d", .string), ("e", .decimal),
      ("f", .date), ("g", .float), ("h", .double), ("i", .boolean), ("j", .integer16),
      ("k", .integer64), ("B", .integer32),
    ]
    let entity = Entity(name: "Thing", properties: types.map { attribute($0.0, $0.1) })
    #expect(
      statements([entity]) == [
        """
        CREATE TABLE ZTHING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZB INTEGER, \
        ZI INTEGER, ZJ INTEGER, ZK INTEGER, ZF TIMESTAMP, ZG FLOAT, ZH FLOAT, ZE DECIMAL, ZD VARCHAR, \
        ZC BLOB, ZB1 BLOB, ZA BLOB )
        """
      ])
  }

  @Test func `entities are numbered regardless of case, sub-entities behind their parents`() {
    let model = Model(entities: [
      Entity(name: "beta"), Entity(name: "Alpha"), Entity(name: "Gamma"),
      Entity(name: "delta", superentityName: "beta"), Entity(name: "Able", superentityName: "beta"),
      Entity(name: "zed", superentityName: "Able"),
    ])
    #expect(
      EntityNumbering(model).names == ["Alpha", "beta", "Able", "zed", "delta", "Gamma"])
    #expect(StoreLayout(model).tables.map(\.name) == ["ZALPHA", "ZBETA", "ZGAMMA"])
  }

  @Test func `equal names in one table are told apart by numbers`() {
    let entities = [
      Entity(name: "Base", isAbstract: true),
      Entity(name: "One", superentityName: "Base", properties: [attribute("name", .string)]),
      Entity(name: "Two", superentityName: "Base", properties: [attribute("name", .string)]),
    ]
    #expect(
      statements(entities) == [
        """
        CREATE TABLE ZBASE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, \
        ZNAME1 VARCHAR )
        """,
        "CREATE INDEX ZBASE_Z_ENT_INDEX ON ZBASE (Z_ENT)",
      ])
  }

  @Test func `a link to an entity with sub-entities also names the entity`() {
    let entities = [
      Entity(name: "Owner", properties: [toOne("pet", "Pet")]), Entity(name: "Pet"),
      Entity(name: "Cat", superentityName: "Pet"),
    ]
    #expect(
      statements(entities).first == """
        CREATE TABLE ZOWNER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPET INTEGER, \
        Z2_PET INTEGER )
        """)
  }

  @Test func `ordered links keep their place and those without inverse their holder`() {
    let entities = [
      Entity(
        name: "List",
        properties: [
          toMany("items", "Part", inverse: "list", isOrdered: true), toMany("spares", "Part"),
        ]),
      Entity(name: "Part", properties: [toOne("list", "List", inverse: "items")]),
    ]
    #expect(
      statements(entities) == [
        "CREATE TABLE ZLIST ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
        """
        CREATE TABLE ZPART ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLIST INTEGER, \
        Z1SPARES INTEGER, Z_FOK_LIST INTEGER )
        """,
        "CREATE INDEX ZPART_ZLIST_INDEX ON ZPART (ZLIST)",
        "CREATE INDEX ZPART_Z1SPARES_INDEX ON ZPART (Z1SPARES)",
      ])
  }

  @Test func `a many-to-many relationship has a table named after the side visited first`() {
    let entities = [
      Entity(name: "Garnish", properties: [toMany("cocktails", "Cocktail", inverse: "garnish")]),
      Entity(name: "Cocktail", properties: [toMany("garnish", "Garnish", inverse: "cocktails")]),
    ]
    #expect(
      statements(entities).suffix(2) == [
        """
        CREATE TABLE Z_1GARNISH ( Z_1COCKTAILS INTEGER, Z_2GARNISH INTEGER, \
        PRIMARY KEY (Z_1COCKTAILS, Z_2GARNISH) )
        """,
        "CREATE INDEX Z_1GARNISH_Z_2GARNISH_INDEX ON Z_1GARNISH (Z_2GARNISH, Z_1COCKTAILS)",
      ])
  }

  @Test func `the side of a many-to-many pair whose entity comes first by name goes first`() {
    let entities = [
      Entity(name: "Animal"),
      Entity(name: "Man", properties: [toMany("zebras", "Zebra", inverse: "men")]),
      Entity(
        name: "Zebra", superentityName: "Animal",
        properties: [
          toMany("men", "Man", inverse: "zebras"), toMany("tags", "Tag", inverse: "zebras"),
        ]),
      Entity(
        name: "Ox",
        properties: [
          toMany("tags", "Tag", inverse: "oxen")
        ]),
      Entity(
        name: "Tag",
        properties: [
          toMany("oxen", "Ox", inverse: "tags"), toMany("zebras", "Zebra", inverse: "tags"),
        ]),
    ]
    // By number, Animal is 1, Zebra 2, Man 3, Ox 4, Tag 5; by name, Zebra comes after Tag.
    #expect(
      StoreLayout(Model(entities: entities)).joinTables.map(\.createStatement) == [
        "CREATE TABLE Z_3ZEBRAS ( Z_3MEN INTEGER, Z_2ZEBRAS INTEGER, PRIMARY KEY (Z_3MEN, Z_2ZEBRAS) )",
        "CREATE TABLE Z_4TAGS ( Z_4OXEN INTEGER, Z_5TAGS INTEGER, PRIMARY KEY (Z_4OXEN, Z_5TAGS) )",
        """
        CREATE TABLE Z_5ZEBRAS ( Z_5TAGS1 INTEGER, Z_2ZEBRAS1 INTEGER, \
        PRIMARY KEY (Z_5TAGS1, Z_2ZEBRAS1) )
        """,
      ])
  }

  @Test func `a super-entity is visited with its first sub-entity`() {
    let entities = [
      Entity(name: "Task", properties: [toMany("tags", "Tag", inverse: "tasks")]),
      Entity(name: "Health", superentityName: "Task"),
      Entity(name: "Tag", properties: [toMany("tasks", "Task", inverse: "tags")]),
    ]
    #expect(
      StoreLayout(Model(entities: entities)).joinTables.map(\.createStatement) == [
        "CREATE TABLE Z_2TAGS ( Z_2TASKS INTEGER, Z_1TAGS INTEGER, PRIMARY KEY (Z_2TASKS, Z_1TAGS) )"
      ])
  }

  @Test func `an ordered relationship without inverse keeps the place by its holder's number`() {
    let entities = [
      Entity(name: "List", properties: [toMany("items", "Part", isOrdered: true)]),
      Entity(name: "Part", properties: [attribute("count", .integer16)]),
    ]
    #expect(
      statements(entities).dropFirst() == [
        """
        CREATE TABLE ZPART ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOUNT INTEGER, \
        Z1ITEMS INTEGER, Z_FOK_1ITEMS INTEGER )
        """,
        "CREATE INDEX ZPART_Z1ITEMS_INDEX ON ZPART (Z1ITEMS)",
      ])
  }

  @Test func `a relationship that is its own inverse joins an entity with itself`() {
    let entity = Entity(
      name: "Person", properties: [toMany("friends", "Person", inverse: "friends")])
    #expect(
      statements([entity]).dropFirst() == [
        """
        CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, \
        PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )
        """,
        "CREATE INDEX Z_1FRIENDS_REFLEXIVE_INDEX ON Z_1FRIENDS (REFLEXIVE, Z_1FRIENDS)",
      ])
  }

  @Test func `indexes of one name, without regard to case, are one`() {
    func index(_ name: String, on property: String) -> FetchIndex {
      FetchIndex(name: name, elements: [FetchIndex.Element(propertyName: property)])
    }
    let properties = [attribute("c", .string), attribute("d", .string)]
    let entities = [
      Entity(
        name: "A", properties: properties, uniquenessConstraints: [["c"]],
        indexes: [
          index("B_c", on: "c"), index("b_C", on: "d"), index("d", on: "d"), index("d", on: "d"),
          index("UNIQUE_c", on: "d"),
        ]),
      Entity(name: "A_B", properties: properties, indexes: [index("c", on: "c")]),
    ]
    let names = StoreLayout(Model(entities: entities)).indexes.map(\.createStatement)
    #expect(
      names == [
        "CREATE INDEX Z_A_B_c ON ZA (ZC COLLATE BINARY ASC)",
        "CREATE INDEX Z_A_d ON ZA (ZD COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_A_UNIQUE_c ON ZA (ZC COLLATE BINARY ASC)",
      ])
  }

  @Test func `attributes that an old model marks as indexed have an index`() {
    let indexed = Property.attribute(Attribute(name: "key", type: .string, isIndexed: true))
    let old = StoreLayout(Model(entities: [Entity(name: "Thing", properties: [indexed])]))
    #expect(old.indexes.isEmpty)
    #expect(
      old.allIndexes.map(\.createStatement) == ["CREATE INDEX ZTHING_ZKEY_INDEX ON ZTHING (ZKEY)"])
    let new = Entity(
      name: "Thing", properties: [indexed],
      indexes: [FetchIndex(name: "key", elements: [FetchIndex.Element(propertyName: "key")])])
    #expect(
      StoreLayout(Model(entities: [new])).allIndexes.map(\.name) == ["Z_Thing_key"])
  }

  @Test func `uniqueness and fetch indexes spell names as the model does`() {
    let entity = Entity(
      name: "KeyValue",
      properties: [
        attribute("domain", .string), attribute("key", .string), toOne("owner", "KeyValue"),
      ],
      uniquenessConstraints: [["domain", "key"]],
      indexes: [
        FetchIndex(
          name: "byKey", elements: [FetchIndex.Element(propertyName: "key", isAscending: false)]),
        FetchIndex(name: "byOwner", elements: [FetchIndex.Element(propertyName: "owner")]),
      ])
    #expect(
      statements([entity]).dropFirst() == [
        "CREATE INDEX ZKEYVALUE_ZOWNER_INDEX ON ZKEYVALUE (ZOWNER)",
        "CREATE INDEX Z_KeyValue_byKey ON ZKEYVALUE (ZKEY COLLATE BINARY DESC)",
        """
        CREATE UNIQUE INDEX Z_KeyValue_UNIQUE_domain_key ON ZKEYVALUE \
        (ZDOMAIN COLLATE BINARY ASC, ZKEY COLLATE BINARY ASC)
        """,
      ])
  }

  @Test func `an enum's column is named after its only leaf and sorted by the attribute`() {
    let leaf = Attribute(name: "status", type: .string, isOptional: true)
    let entity = Entity(
      name: "Meal",
      properties: [
        attribute("title", .string),
        .attribute(Attribute(name: "status", type: .composite, elements: [leaf])),
      ])
    #expect(
      statements([entity]) == [
        """
        CREATE TABLE ZMEAL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        ZSTATUS VARCHAR, ZTITLE VARCHAR )
        """
      ])
  }
}
