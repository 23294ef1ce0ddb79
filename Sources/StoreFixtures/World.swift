import StoreFormat
import StoreModel

/// Everything the rows of a fixture are computed from, without a row being there.
///
/// Keys, ids, owners and moments are functions of an entity and the number of a row, so that rows
/// refer to each other without anything being remembered: memory doesn't grow with the fixture.
struct World: Sendable {
  let app: String
  let model: Model
  let layout: StoreLayout
  let options: FixtureOptions

  private let crowdByName: [String: Crowd]

  init(app: String, model: Model, layout: StoreLayout, options: FixtureOptions) {
    self.app = app.lowercased()
    self.model = model
    self.layout = layout
    self.options = options
    let all = layout.numbering.names.compactMap { name in
      Crowd(
        name, app: app.lowercased(), model: model, numbering: layout.numbering, options: options)
    }
    crowdByName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The rows of an entity, whether it has any or not; none for an entity that the model lacks.
  func crowd(_ entity: String) -> Crowd? {
    crowdByName[entity]
  }

  /// The rows of an entity and of those that inherit from it, without abstract ones.
  func crowds(under entity: String) -> [Crowd] {
    layout.numbering.names.filter { model.inherits($0, from: entity) }
      .compactMap(crowd).filter { $0.count > 0 }
  }

  /// Starts the sequence for one thing about one row.
  func random(_ purpose: UInt64, _ index: Int) -> RandomSource {
    let place = UInt64(bitPattern: Int64(index)) &* 0xd134_2543_de82_ef95
    return RandomSource(mixed(mixed(options.seed) ^ purpose) &+ place)
  }
}

/// The rows of one entity: how many there are, and what their keys are.
struct Crowd: Hashable, Sendable {
  let name: String
  let number: Int
  let count: Int
  let hash: UInt64

  /// A Boolean value indicating whether the rows are the users themselves.
  let isUsers: Bool

  /// The number of entities that share the table, and the place of this one among them.
  private let stride: Int
  private let offset: Int

  init?(
    _ name: String, app: String, model: Model, numbering: EntityNumbering, options: FixtureOptions
  ) {
    guard let entity = model[name], let number = numbering.number(of: name),
      let root = numbering.root(of: name)
    else { return nil }
    let tree = numbering.tree(of: root)
    self.name = name
    self.number = number
    hash = stableHash(name)
    isUsers = name.hasPrefix("SDUserProfile")
    count = entity.isAbstract ? 0 : rowCount(of: name, app: app, options: options)
    stride = tree.count
    offset = tree.firstIndex(of: name) ?? 0
  }

  /// Returns the key of a row; every eighteenth key is missing, as if its row had been deleted.
  func key(_ index: Int) -> Int64 {
    Int64((index + index / 17) * stride + offset + 1)
  }

  /// The keys that rows had which are no more.
  func deletedKey(_ place: Int) -> Int64? {
    let key = Int64((place * 18 + 17) * stride + offset + 1)
    return key < highestKey ? key : nil
  }

  /// The highest key that has been handed out.
  var highestKey: Int64 { count == 0 ? 0 : key(count - 1) }
}

extension World {
  private static let idPurpose = stableHash("id")
  private static let ownerPurpose = stableHash("owner")
  private static let userPurpose = stableHash("user")
  private static let momentPurpose = stableHash("moment")

  /// When the app was first used, in seconds since 2001-01-01 UTC: early in 2024.
  static let start = 729_000_000.0

  /// When the store was last written.
  static let end = 771_000_000.0

  /// Returns the id of a row; for a number beyond the rows, the id of one that is no more.
  func id(_ crowd: Crowd, _ index: Int) -> [UInt8] {
    if crowd.isUsers && app == "fitiq" { return user(index) }
    var random = random(crowd.hash ^ Self.idPurpose, index)
    return random.uuid()
  }

  /// Returns the id of a user.
  func user(_ index: Int) -> [UInt8] {
    var random = random(Self.userPurpose, index)
    return random.uuid()
  }

  /// Returns which user a row belongs to; none for one in fifty, which belong to somebody else.
  func ownerIndex(_ crowd: Crowd, _ index: Int) -> Int? {
    var random = random(crowd.hash ^ Self.ownerPurpose, index)
    return random.below(50) == 0 ? nil : random.below(max(options.userCount, 1))
  }

  /// Returns the id of the user a row belongs to.
  ///
  /// Somebody else is the mock user of the app's first days, or an id invented for one row.
  func owner(_ crowd: Crowd, _ index: Int) -> [UInt8] {
    if let owner = ownerIndex(crowd, index) { return user(owner) }
    var random = random(crowd.hash ^ Self.ownerPurpose ^ Self.userPurpose, index)
    return random.chance(50) ? [UInt8](repeating: 0, count: 15) + [1] : random.uuid()
  }

  /// Returns when a row was made; later rows are younger.
  func moment(_ crowd: Crowd, _ index: Int) -> Double {
    var random = random(crowd.hash ^ Self.momentPurpose, index)
    let share = (Double(index) + random.unit()) / Double(max(crowd.count, 1))
    // Whole microseconds: what a clock gives, and short to print.
    return ((Self.start + share * (Self.end - Self.start)) * 1e6).rounded() / 1e6
  }
}
