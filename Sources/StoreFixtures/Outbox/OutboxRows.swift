import StoreModel

/// Creates the rows of the outbox, in the model's format.
struct OutboxRows: Sendable {
  /// The columns of an outbox.
  enum Form: Sendable {
    /// A JSON payload: Lume before V7.
    case payload

    /// FitIQCore's events: Lume since V7, FitIQ since V3.
    case metadata

    /// Both, as after a migration that only added columns; with the default value of `entityID`.
    case additive(entityID: [UInt8])

    /// No known format.
    case none
  }

  let fixture: FixturePlan
  let rowSet: RowSet?
  let form: Form
  let payloads: PayloadEvents
  let metadata: MetadataEvents

  init(in fixture: FixturePlan, plans: [EntityPlan]) {
    self.fixture = fixture
    rowSet = fixture.rowSet(outboxEntity)
    form = Self.form(of: fixture.model[outboxEntity])
    let plansByName = Dictionary(
      plans.map { ($0.rowSet.name, $0) }, uniquingKeysWith: { first, _ in first })
    payloads = PayloadEvents(fixture: fixture, plans: plansByName)
    metadata = MetadataEvents(fixture: fixture, plans: plansByName)
  }

  private static func form(of entity: Entity?) -> Form {
    guard let entity else { return .none }
    guard entity["payload"] != nil else { return entity["metadata"] == nil ? .none : .metadata }
    guard case .attribute(let attribute) = entity["entityID"] else { return .payload }
    if case .uuid(let bytes) = attribute.defaultValue { return .additive(entityID: bytes) }
    return .additive(entityID: [UInt8](repeating: 0, count: 16))
  }

  /// Returns a row, or `nil` if the model has no outbox.
  func row(at index: Int) -> FixtureEvent? {
    guard let rowSet else { return nil }
    var random = fixture.random(rowSet.hash &+ 2, index)
    let createdAt = fixture.moment(rowSet, index)
    var row = FixtureEvent(
      id: fixture.id(rowSet, index), createdAt: createdAt, eventType: "",
      delivery: DeliveryState(createdAt: createdAt, &random))
    switch form {
    case .payload: payloads.fill(&row, at: index, &random)
    case .metadata: metadata.fill(&row, at: index, &random)
    case .additive(let placeholder):
      // The app has written every 25th row since the migration, in the new format.
      if index % 25 == 24 {
        metadata.fill(&row, at: index, &random)
        row.payload = []
      } else {
        payloads.fill(&row, at: index, &random)
        row.entityID = placeholder
      }
    case .none: break
    }
    return row
  }
}
