import StoreFormat
import StoreModel

/// The plan of a fixture: computes keys, IDs, owners and dates for any row.
///
/// All of them are functions of an entity and a row index. So rows can refer to each other without
/// being stored, and memory doesn't depend on the size of the fixture.
struct FixturePlan: Sendable {
  let app: String
  let model: Model
  let layout: StoreLayout
  let options: FixtureOptions

  private let rowSetByName: [String: RowSet]

  init(app: String, model: Model, layout: StoreLayout, options: FixtureOptions) {
    self.app = app.lowercased()
    self.model = model
    self.layout = layout
    self.options = options
    let all = layout.numbering.names.compactMap { name in
      RowSet(
        name, app: app.lowercased(), model: model, numbering: layout.numbering, options: options)
    }
    rowSetByName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the rows of an entity, or `nil` if the model doesn't contain the entity.
  func rowSet(_ entity: String) -> RowSet? {
    rowSetByName[entity]
  }

  /// Returns the rows of an entity and its sub-entities, without empty ones.
  func rowSets(under entity: String) -> [RowSet] {
    layout.numbering.names.filter { model.inherits($0, from: entity) }
      .compactMap(rowSet).filter { $0.count > 0 }
  }

  /// Returns the random sequence for a purpose and a row.
  func random(_ purpose: UInt64, _ index: Int) -> RandomSource {
    let offset = UInt64(bitPattern: Int64(index)) &* 0xd134_2543_de82_ef95
    return RandomSource(mixed(mixed(options.seed) ^ purpose) &+ offset)
  }
}

/// The number and the keys of an entity's rows.
struct RowSet: Hashable, Sendable {
  let name: String
  let number: Int
  let count: Int
  let hash: UInt64

  /// Whether the rows represent users.
  let isUsers: Bool

  /// The number of entities in the table.
  private let stride: Int

  /// The index of this entity among them.
  let offset: Int

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

  /// Returns the key of a row.
  ///
  /// Every 18th key is left out, as if its row had been deleted.
  func key(_ index: Int) -> Int64 {
    Int64((index + index / 17) * stride + offset + 1)
  }

  /// Returns the key of a deleted row, or `nil` if there isn't one.
  func deletedKey(_ index: Int) -> Int64? {
    let key = Int64((index * 18 + 17) * stride + offset + 1)
    return key < highestKey ? key : nil
  }

  /// The highest key, or 0 without rows.
  var highestKey: Int64 { count == 0 ? 0 : key(count - 1) }
}

extension FixturePlan {
  private static let idPurpose = stableHash("id")
  private static let ownerPurpose = stableHash("owner")
  private static let userPurpose = stableHash("user")
  private static let momentPurpose = stableHash("moment")

  /// The date of the app's first use, in seconds since 2001-01-01 UTC: early in 2024.
  static let start = 729_000_000.0

  /// The date of the last save.
  static let end = 771_000_000.0

  /// Returns the ID of a row, or of a deleted row if the index is beyond the rows.
  func id(_ rowSet: RowSet, _ index: Int) -> [UInt8] {
    if rowSet.isUsers && app == "fitiq" { return user(index) }
    var random = random(rowSet.hash ^ Self.idPurpose, index)
    return random.uuid()
  }

  /// Returns the ID of a user.
  func user(_ index: Int) -> [UInt8] {
    var random = random(Self.userPurpose, index)
    return random.uuid()
  }

  /// Returns the index of the user who owns a row; `nil` for one row in 50, with an unknown owner.
  func ownerIndex(_ rowSet: RowSet, _ index: Int) -> Int? {
    var random = random(rowSet.hash ^ Self.ownerPurpose, index)
    return random.below(50) == 0 ? nil : random.below(max(options.userCount, 1))
  }

  /// Returns the ID of the user who owns a row.
  ///
  /// An unknown owner is the mock user of the app's first versions, or a random ID.
  func owner(_ rowSet: RowSet, _ index: Int) -> [UInt8] {
    if let owner = ownerIndex(rowSet, index) { return user(owner) }
    var random = random(rowSet.hash ^ Self.ownerPurpose ^ Self.userPurpose, index)
    return random.chance(50) ? [UInt8](repeating: 0, count: 15) + [1] : random.uuid()
  }

  /// Returns the creation date of a row; later rows are newer.
  func moment(_ rowSet: RowSet, _ index: Int) -> Double {
    var random = random(rowSet.hash ^ Self.momentPurpose, index)
    let share = (Double(index) + random.unit()) / Double(max(rowSet.count, 1))
    // Round to microseconds, like a clock, which also keeps the text short.
    return ((Self.start + share * (Self.end - Self.start)) * 1e6).rounded() / 1e6
  }
}
