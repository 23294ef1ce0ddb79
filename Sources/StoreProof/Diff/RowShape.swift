import OutboxFormat
import StoreFormat
import StoreModel
import Migrations
import RowRewriting
import OutboxConversion

/// What the rows of one entity store, inherited properties included, and in which columns.
///
/// Columns are named by their places in the table.
struct RowShape: Hashable {
  /// A stored property.
  package struct Property: Hashable {
    /// The entity that declares it.
    package let owner: String

    /// The attribute, `attribute.leaf` of a composite one, or the relationship.
    package let name: String

    /// The name in reports.
    ///
    /// A to-many relationship without inverse is stored with its destination, and is called
    /// `Entity.relationship` there.
    package let label: String

    /// What its columns hold.
    package let content: Content

    /// A Boolean value indicating whether the names speak of a password, token or the like.
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

    /// The column with the number of the other row's entity, where there is one.
    package let entityColumn: Int?

    /// The number of the other row's entity where no column tells it.
    package let destination: Int64

    /// The column with the place of this row in the other's order, where there is one.
    let placeColumn: Int?
  }

  /// The entity.
  package let entity: String

  /// Its properties, ordered by label.
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

  /// Returns the place of a property by the names that its declaration has.
  package func place(of name: String, declaredBy owner: String) -> Int? {
    properties.firstIndex { $0.name == name && $0.owner == owner }
  }
}

extension RowShape.Property {
  /// The column with the attribute's value, or with the key of the row that is linked to.
  package var column: Int {
    switch content {
    case .attribute(let column, _): column
    case .link(let link): link.keyColumn
    }
  }

  package var isLink: Bool { if case .link = content { true } else { false } }

  /// A Boolean value indicating whether this is another entity's relationship to this one.
  var isInverseless: Bool { label != name }

  /// Reads a column as a property, if it begins one of an entity with a chain of ancestors.
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
        keyColumn: place, entityColumn: nil, destination: number(source), placeColumn: nil)
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
