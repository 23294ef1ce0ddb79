import Migrations
import SQLite
import StoreFormat
import StoreModel

/// Relationships whose links are stored in another way afterwards.
extension ProgramBuilder {
  /// A relationship of the source with its inverse, in an order that doesn't depend on the side.
  struct RelinkedPair: Hashable {
    let owner: PropertyPath

    /// The inverse; `nil` if the relationship has none.
    let other: PropertyPath?

    /// The entity of the rows that the owner's relationship leads to.
    let otherEntity: String
  }

  /// A column or table of the target with relinked links, as seen from one side.
  struct RelinkedEnd {
    let links: RelinkedLinks

    /// Whether the side's rows are the owners.
    let isOwner: Bool
  }

  /// The pairs that steps relink and that the target has.
  private var relinkedPairs: [RelinkedPair] {
    var pairs: [RelinkedPair] = []
    for relink in lineage.relinks {
      guard let pair = pair(of: relink.source), !pairs.contains(pair) else { continue }
      pairs.append(pair)
    }
    return pairs
  }

  private func pair(of path: PropertyPath) -> RelinkedPair? {
    guard let found = source.relationship(named: path.property, of: path.entity) else { return nil }
    let own = PropertyPath(entity: found.entity, property: path.property)
    let destination = found.relationship.destinationName
    let inverse = found.relationship.inverseName.flatMap {
      source.relationship(named: $0, of: destination)
    }
    guard let inverse else {
      return RelinkedPair(owner: own, other: nil, otherEntity: destination)
    }
    let other = PropertyPath(entity: inverse.entity, property: inverse.relationship.name)
    return other.description < own.description
      ? RelinkedPair(owner: other, other: own, otherEntity: found.entity)
      : RelinkedPair(owner: own, other: other, otherEntity: inverse.entity)
  }

  /// Returns whether the links of a relationship of the source are relinked.
  func isRelinked(_ relationship: String, of entity: String) -> Bool {
    guard !lineage.relinks.isEmpty,
      let pair = pair(of: PropertyPath(entity: entity, property: relationship))
    else { return false }
    return relinkedPairs.contains(pair) && ends(of: pair).contains { $0 != nil }
  }

  /// The relinked links of all relationships.
  func relinkedLinks() throws(ProgramError) -> [RelinkedLinks] {
    var all: [RelinkedLinks] = []
    for pair in relinkedPairs {
      guard let links = try links(of: pair) else { continue }
      all.append(links)
    }
    return all
  }

  /// Returns where the links of a relationship of the target come from; `nil` if it isn't relinked.
  func relinked(
    _ relationship: String, of entity: String
  ) throws(ProgramError) -> RelinkedEnd? {
    guard !lineage.relinks.isEmpty else { return nil }
    for pair in relinkedPairs {
      for (index, end) in ends(of: pair).enumerated()
      where end?.entity == entity && end?.relationship.name == relationship {
        guard let links = try links(of: pair) else { continue }
        return RelinkedEnd(links: links, isOwner: index == 0)
      }
    }
    return nil
  }

  // MARK: The target's side

  typealias TargetEnd = (entity: String, relationship: Relationship)

  /// Returns the target's relationships of the owner and the other row; `nil` for none.
  private func ends(of pair: RelinkedPair) -> [TargetEnd?] {
    let (owner, other) = (end(for: pair.owner), pair.other.flatMap { end(for: $0) })
    return [owner ?? other.flatMap(inverse), other ?? owner.flatMap(inverse)]
  }

  private func end(for path: PropertyPath) -> TargetEnd? {
    for (name, entity) in lineage.entities.sorted(by: { $0.key < $1.key }) {
      guard let old = entity.source, source.chain(from: old).contains(path.entity) else { continue }
      for (relationship, lineage) in entity.relationships
      where lineage.source?.name == path.property {
        guard let found = target.relationship(relationship, declaredBy: name) else { continue }
        return (name, found)
      }
    }
    return nil
  }

  private func inverse(of end: TargetEnd) -> TargetEnd? {
    end.relationship.inverseName.flatMap {
      target.relationship(named: $0, of: end.relationship.destinationName)
    }
  }

  // MARK: Links

  private func links(of pair: RelinkedPair) throws(ProgramError) -> RelinkedLinks? {
    let ends = ends(of: pair)
    guard ends.contains(where: { $0 != nil }),
      let ownerTable = sourceLayout.table(of: pair.owner.entity),
      let otherTable = sourceLayout.table(of: pair.otherEntity)
    else { return nil }
    let hasOne = [0, 1].map { index in
      // Without an inverse, each row of a to-many relationship has one owner.
      ends[index].map { !$0.relationship.isToMany }
        ?? (ends[1 - index]?.relationship.isToMany == true)
    }
    let tables = [ownerTable.name, otherTable.name]
    let origins = origins(of: pair, in: [ownerTable, otherTable], hasOne)
    let sides = sides(of: pair)
    let names = names(of: pair, ends)
    return RelinkedLinks(
      name: pair.owner.description, object: names.object, target: names.target, origins: origins,
      targets: targets(of: ends), tables: tables,
      entities: [ownerTable.rootEntity, otherTable.rootEntity],
      droppedNumbers: droppedEntities.sorted(),
      makesPositions: [0, 1].map { index in
        ends[1 - index]?.relationship.isOrdered == true && sides[1 - index]?.isOrdered != true
      },
      choices: try choices(of: pair, [ownerTable, otherTable], hasOne),
      removals: try removals() ?? RowRemovals(removals: []))
  }

  /// Returns the names of the relationship that the first step is about, before and after.
  private func names(
    of pair: RelinkedPair, _ ends: [TargetEnd?]
  ) -> (object: String, target: String) {
    let first = lineage.relinks.first { self.pair(of: $0.source) == pair }
    let index = first.map { isOwner($0, of: pair) } == false ? 1 : 0
    let end = ends[index] ?? ends[1 - index]
    let object = index == 0 ? pair.owner : pair.other
    return (
      object?.description ?? first?.path.description ?? "",
      end.map { "\($0.entity).\($0.relationship.name)" } ?? ""
    )
  }

  /// Returns the places of the source that have the links.
  private func origins(
    of pair: RelinkedPair, in tables: [Table], _ hasOne: [Bool]
  ) -> [RelinkedLinks.Origin] {
    let paths = [pair.owner, pair.other]
    let sides = sides(of: pair)
    if let join = Self.place(of: pair.owner, in: sourceLayout.joinTables) {
      return [RelinkedLinks.Origin(place: join, fixed: nil, rank: 0)]
    }
    // Of two columns, that of the side that still leads to one row counts first.
    let first = !hasOne[0] && hasOne[1] ? 1 : 0
    return [0, 1].compactMap { index in
      guard let path = paths[index] else { return nil }
      let isToMany = sides[index]?.isToMany == true
      if isToMany && sides[1 - index] != nil { return nil }
      let holder = isToMany ? 1 - index : index
      guard let place = Self.place(of: path, isToMany: isToMany, holder: holder, in: tables[holder])
      else { return nil }
      return RelinkedLinks.Origin(
        place: place, fixed: hasOne[holder] ? holder : nil, rank: index == first ? 0 : 1)
    }
  }

  /// Returns the place of links in a table of entities.
  ///
  /// - Parameters:
  ///   - path: The relationship that names the column.
  ///   - isToMany: Whether it is a to-many relationship without inverse.
  ///   - holder: 0 if the table has the owners, 1 if it has the other rows.
  ///   - table: The table.
  /// - Returns: The place; `nil` if the table has no such column.
  private static func place(
    of path: PropertyPath, isToMany: Bool, holder: Int, in table: Table
  ) -> RelinkedLinks.Place? {
    let (entity, name) = (path.entity, path.property)
    let key = table.column(
      isToMany
        ? .inverselessKey(source: entity, relationship: name)
        : .foreignKey(entity: entity, relationship: name))
    let order = table.column(
      isToMany
        ? .inverselessOrdering(source: entity, relationship: name)
        : .ordering(entity: entity, relationship: name))
    guard let key else { return nil }
    return RelinkedLinks.Place(
      table: table.name, keys: holder == 0 ? ["Z_PK", key.name] : [key.name, "Z_PK"],
      positions: holder == 0 ? [order?.name, nil] : [nil, order?.name], isJoin: false)
  }

  /// Returns the source's relationships of the owner and the other row; `nil` for none.
  private func sides(of pair: RelinkedPair) -> [Relationship?] {
    [pair.owner, pair.other].map { path in
      path.flatMap { source.relationship($0.property, declaredBy: $0.entity) }
    }
  }

  /// Returns the place of links in a join table; `nil` if none has the owner's relationship.
  private static func place(of path: PropertyPath, in joins: [JoinTable]) -> RelinkedLinks.Place? {
    for join in joins {
      let owner = (path.entity, path.property)
      if join.first.matches(owner) { return place(join, join.first, join.second) }
      if join.second.matches(owner) { return place(join, join.second, join.first) }
    }
    return nil
  }

  private static func place(
    _ join: JoinTable, _ owner: JoinTable.Side, _ other: JoinTable.Side
  ) -> RelinkedLinks.Place {
    RelinkedLinks.Place(
      table: join.name, keys: [owner.keyColumn, other.keyColumn],
      positions: [owner.orderingColumn, other.orderingColumn], isJoin: true)
  }

  /// Returns the places of the target that get the links.
  private func targets(of ends: [TargetEnd?]) -> [RelinkedLinks.Place] {
    if let owner = ends[0] {
      let path = PropertyPath(entity: owner.entity, property: owner.relationship.name)
      if let join = Self.place(of: path, in: targetLayout.joinTables) { return [join] }
    }
    return [0, 1].compactMap { index in
      guard let end = ends[index] else { return nil }
      let isToMany = end.relationship.isToMany
      if isToMany && ends[1 - index] != nil { return nil }
      let holder = isToMany ? 1 - index : index
      let entity = isToMany ? end.relationship.destinationName : end.entity
      return targetLayout.table(of: entity).flatMap {
        Self.place(
          of: PropertyPath(entity: end.entity, property: end.relationship.name),
          isToMany: isToMany, holder: holder, in: $0)
      }
    }
  }

  // MARK: Choices

  /// Returns the choices of the steps, and one for each side that leads to one row without a step.
  private func choices(
    of pair: RelinkedPair, _ tables: [Table], _ hasOne: [Bool]
  ) throws(ProgramError) -> [RelinkedLinks.Choice] {
    var choices: [RelinkedLinks.Choice] = []
    var last: Lineage.Relink?
    for relink in lineage.relinks {
      guard self.pair(of: relink.source) == pair else { continue }
      last = relink
      guard let keep = relink.keep else { continue }
      let isOfOwner = isOwner(relink, of: pair)
      var order = RelinkedLinks.Order.position
      if let value = relink.order {
        let isNewest = if case .newest = keep { true } else { false }
        order = .value(
          try sql(of: value.binding(options), in: tables[isOfOwner ? 1 : 0]), isNewest: isNewest)
      }
      choices.append(
        RelinkedLinks.Choice(
          step: relink.step, object: relink.path.description, isOfOwner: isOfOwner, order: order))
    }
    for index in [0, 1] where hasOne[index] {
      guard let last, !choices.contains(where: { $0.isOfOwner == (index == 0) }) else { continue }
      choices.append(
        RelinkedLinks.Choice(
          step: last.step, object: last.path.description, isOfOwner: index == 0, order: .rank))
    }
    return choices
  }

  private func isOwner(_ relink: Lineage.Relink, of pair: RelinkedPair) -> Bool {
    let isNamed =
      relink.source.property == pair.owner.property
      && source.chain(from: relink.source.entity).contains(pair.owner.entity)
    return isNamed != relink.isInverse
  }
}
