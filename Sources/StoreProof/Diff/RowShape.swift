import OutboxFormat
import StoreFormat
import StoreModel

/// The stored properties of one entity, inherited ones included, and their columns.
///
/// Columns are indices in the entity's table.
struct RowShape: Hashable {
  /// A stored property.
  package struct Property: Hashable {
    /// The entity that declares the property.
    package let owner: String

    /// The attribute, `attribute.leaf` for a composite's leaf, or the relationship.
    package let name: String

    /// The name in reports.
    ///
    /// A to-many relationship without inverse is stored in the rows of its destination. Its label
    /// there is `Entity.relationship`.
    package let label: String

    /// What the property's columns hold.
    package let content: Content

    /// Whether the names contain a word for a secret, such as a password or token.
    package let isSecret: Bool
  }

  /// What the columns of a property hold.
  package enum Content: Hashable {
    case attribute(column: Int, type: AttributeType)
    case link(Link)
  }

  /// The columns of a link to another row.
  package struct Link: Hashable {
    /// The column with the other row's key.
    package let keyColumn: Int

    /// The column with the number of the other row's entity, if there is one.
    package let entityColumn: Int?

    /// The number of the other row's entity, if no column holds it.
    package let destination: Int64

    /// The column with this row's position in the other row's order, if there is one.
    let placeColumn: Int?
  }

  /// The entity.
  package let entity: String

  /// The entity's properties, ordered by label.
  package let properties: [Property]

  package init(_ entity: String, model: Model, layout: StoreLayout) {
    self.entity = entity
    let columns = layout.table(of: entity)?.columns ?? []
    let chain = Set(model.chain(from: entity))
    properties = columns.indices.compactMap { place in
      Property(
        at: place, of: columns, shape: entity, chain: chain, model: model,
        numbering: layout.numbering)
    }
    .sorted { $0.label.precedes($1.label) }
  }

  /// Returns the index of a property by its name and the entity that declares it.
  package func place(of name: String, declaredBy owner: String) -> Int? {
    properties.firstIndex { $0.name == name && $0.owner == owner }
  }
}

extension RowShape.Property {
  /// The column with the attribute's value, or with the key of the linked row.
  package var column: Int {
    switch content {
    case .attribute(let column, _): column
    case .link(let link): link.keyColumn
    }
  }

  package var isLink: Bool { if case .link = content { true } else { false } }

  /// Whether this is another entity's relationship to this entity.
  var isInverseless: Bool { label != name }

  /// Creates the property whose first column this is, if an entity of the chain has one.
  fileprivate init?(
    at place: Int, of columns: [Column], shape: String, chain: Set<String>, model: Model,
    numbering: EntityNumbering
  ) {
    func number(_ entity: String?) -> Int64 {
      Int64(entity.flatMap(numbering.number(of:)) ?? 0)
    }
    switch columns[place].content {
    case .attribute(let entity, let path, let type) where chain.contains(entity):
      let name = path.joined(separator: ".")
      self.init(
        owner: entity, name: name, label: name, content: .attribute(column: place, type: type),
        isSecret: SecretNames.occur(in: "\(shape).\(name)"))
    case .foreignKey(let entity, let name) where chain.contains(entity):
      let found = model.relationship(named: name, of: entity)
      let link = RowShape.Link(
        keyColumn: place,
        entityColumn: columns.place(of: .entityKey(entity: entity, relationship: name)),
        destination: number(found?.relationship.destinationName),
        placeColumn: columns.place(of: .ordering(entity: entity, relationship: name)))
      self.init(owner: entity, name: name, label: name, content: .link(link), isSecret: false)
    case .inverselessKey(let source, let name):
      let found = model.relationship(named: name, of: source)
      guard let destination = found?.relationship.destinationName, chain.contains(destination)
      else { return nil }
      let link = RowShape.Link(
        keyColumn: place, entityColumn: nil, destination: number(source),
        placeColumn: columns.place(of: .inverselessOrdering(source: source, relationship: name)))
      self.init(
        owner: source, name: name, label: "\(source).\(name)", content: .link(link), isSecret: false
      )
    default: return nil
    }
  }
}

extension [Column] {
  fileprivate func place(of content: Column.Content) -> Int? {
    firstIndex { $0.content == content }
  }
}
