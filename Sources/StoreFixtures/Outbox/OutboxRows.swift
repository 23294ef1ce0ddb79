import StoreModel

/// The outbox of a fixture, row by row, in the form that the model gives it.
struct OutboxRows: Sendable {
  /// The columns that an outbox has.
  enum Form: Sendable {
    /// A JSON payload: Lume up to V6.
    case payload

    /// FitIQCore's events: Lume V7, FitIQ from V3 on.
    case metadata

    /// Both, as after a migration that only added columns: with what new columns hold in old rows.
    case additive(entityID: [UInt8])

    /// No outbox that this generator knows.
    case none
  }

  let world: World
  let crowd: Crowd?
  let form: Form
  let payloads: PayloadEvents
  let metadata: MetadataEvents

  init(in world: World, plans: [EntityPlan]) {
    self.world = world
    crowd = world.crowd(outboxEntity)
    form = Self.form(of: world.model[outboxEntity])
    let plansByName = Dictionary(
      plans.map { ($0.crowd.name, $0) }, uniquingKeysWith: { first, _ in first })
    payloads = PayloadEvents(world: world, plans: plansByName)
    metadata = MetadataEvents(world: world, plans: plansByName)
  }

  private static func form(of entity: Entity?) -> Form {
    guard let entity else { return .none }
    guard entity["payload"] != nil else { return entity["metadata"] == nil ? .none : .metadata }
    guard case .attribute(let attribute) = entity["entityID"] else { return .payload }
    if case .uuid(let bytes) = attribute.defaultValue { return .additive(entityID: bytes) }
    return .additive(entityID: [UInt8](repeating: 0, count: 16))
  }

  /// Returns a row; none where there is no outbox.
  func row(at index: Int) -> OutboxRow? {
    guard let crowd else { return nil }
    var random = world.random(crowd.hash &+ 2, index)
    let createdAt = world.moment(crowd, index)
    var row = OutboxRow(
      id: world.id(crowd, index), createdAt: createdAt, eventType: "",
      delivery: Delivery(createdAt: createdAt, &random))
    switch form {
    case .payload: payloads.fill(&row, at: index, &random)
    case .metadata: metadata.fill(&row, at: index, &random)
    case .additive(let placeholder):
      // One row in twenty-five has been written by the app since, in the new form.
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
