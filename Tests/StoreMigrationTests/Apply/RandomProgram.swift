import StoreModel
import TestSupport

@testable import StoreMigration

/// A random selection of steps of all kinds, in a random order, with the models that they lead between.
///
/// Items have a tag and lie in a box; circles and squares are shapes; receipts are alone. The steps that
/// a program has say what the new model is.
struct RandomProgram: CustomStringConvertible {
  /// One step, or two that belong together.
  enum Part: String, CaseIterable {
    case fill, compute, label, map, retype, text, uuid, sequence, require, deleteItems, deleteTags,
      unite, relink, rename, renameEntity, drop, split, inline, convert, merge, divide, dropEntity
  }

  /// The parts, in the order of the file.
  let parts: [Part]

  /// Whether rows with the same address share one.
  let sharesAddresses: Bool

  /// Whether of equal tags the one with the highest rank stays.
  let keepsNewest: Bool

  init(_ random: inout SeededGenerator) {
    var parts = Part.allCases.filter { _ in random.below(2) == 0 }.shuffled(using: &random)
    // Formulas of later steps can't read relinked links, nor steps name an entity that is renamed.
    for last in [Part.relink, .renameEntity] where parts.contains(last) {
      parts.removeAll { $0 == last }
      parts.append(last)
    }
    self.parts = parts
    sharesAddresses = random.below(2) == 0
    keepsNewest = random.below(2) == 0
  }

  func has(_ part: Part) -> Bool { parts.contains(part) }

  var description: String { text }

  // MARK: Models

  /// The name that tags have in the new version.
  var tagEntity: String { has(.renameEntity) ? "Label" : "Tag" }

  static func attribute(_ name: String, _ type: String) -> String {
    #"{ "name": "\#(name)", "type": "\#(type)", "optional": true }"#
  }

  private static func link(
    _ name: String, to entity: String, inverse: String?, isToMany: Bool = false
  ) -> String {
    let many = isToMany ? #", "many": true, "max": 0"# : ""
    let back = inverse.map { #", "inverse": "\#($0)""# } ?? ""
    return #"{ "name": "\#(name)", "to": "\#(entity)", "optional": true\#(many)\#(back) }"#
  }

  private static func entity(
    _ name: String, of parent: String? = nil, _ attributes: [String], _ links: [String] = []
  ) -> String {
    let above = parent.map { #""parent": "\#($0)", "# } ?? ""
    return """
      { "name": "\(name)", \(above)"attributes": [\(attributes.joined(separator: ", "))],
        "relationships": [\(links.joined(separator: ", "))] }
      """
  }

  private static func schema(_ version: String, _ entities: [String]) throws -> SchemaFile {
    try SchemaFile(
      """
      { "format_version": 1, "app": "store", "version": "\(version)", "identifiers": ["\(version)"],
        "entities": [\(entities.joined(separator: ", "))] }
      """)
  }

  private static let tagAttributes = [
    attribute("name", "String"), attribute("rank", "Integer 64"),
  ]

  private static let addressAttributes = [
    attribute("street", "String"), attribute("city", "String"),
  ]

  private static let boxAttributes = [
    attribute("label", "String"), attribute("size", "Integer 64"),
  ]

  static func old() throws -> SchemaFile {
    let attributes = [
      attribute("name", "String"), attribute("state", "Integer 16"), attribute("count", "String"),
      attribute("feet", "Double"), attribute("note", "String"), attribute("day", "Date"),
      attribute("level", "Integer 64"),
    ]
    return try schema(
      "V1",
      [
        entity(
          "Item", attributes + addressAttributes,
          [
            link("tag", to: "Tag", inverse: "items"),
            link("box", to: "Box", inverse: "items"),
          ]),
        entity("Tag", tagAttributes, [link("items", to: "Item", inverse: "tag", isToMany: true)]),
        entity("Box", boxAttributes, [link("items", to: "Item", inverse: "box", isToMany: true)]),
        entity("Shape", [attribute("weight", "Double")]),
        entity("Circle", of: "Shape", [attribute("radius", "Double")]),
        entity("Square", of: "Shape", [attribute("side", "Double")]),
        entity("Receipt", [attribute("total", "Double")]),
      ])
  }

  /// The entities that no other step concerns: shapes, and receipts.
  private func otherEntities() -> [String] {
    var shape = [Self.attribute("size", "Double")]
    var (circle, square) = (
      [Self.attribute("radius", "Double")], [Self.attribute("side", "Double")]
    )
    if has(.merge) { (circle, square) = ([], []) } else { shape = [] }
    if has(.divide) {
      circle.append(Self.attribute("circleWeight", "Double"))
      square.append(Self.attribute("squareWeight", "Double"))
    } else {
      shape.append(Self.attribute("weight", "Double"))
    }
    let shapes = [
      Self.entity("Shape", shape), Self.entity("Circle", of: "Shape", circle),
      Self.entity("Square", of: "Shape", square),
    ]
    return shapes
      + (has(.dropEntity) ? [] : [Self.entity("Receipt", [Self.attribute("total", "Double")])])
  }

  func new() throws -> SchemaFile {
    let relinks = has(.relink)
    var attributes = [
      Self.attribute("name", "String"),
      Self.attribute("state", has(.map) ? "String" : "Integer 16"),
      Self.attribute("count", has(.retype) ? "Integer 32" : "String"),
      Self.attribute(has(.compute) ? "metres" : "feet", "Double"),
      Self.attribute("day", has(.text) ? "String" : "Date"), Self.attribute("extra", "String"),
      Self.attribute("level", has(.convert) ? "Double" : "Integer 64"),
    ]
    if !has(.drop) { attributes.append(Self.attribute(has(.rename) ? "remark" : "note", "String")) }
    if has(.label) { attributes.append(Self.attribute("label", "String")) }
    if has(.uuid) { attributes.append(Self.attribute("id", "UUID")) }
    if has(.sequence) { attributes.append(Self.attribute("place", "Integer 32")) }
    if has(.inline) {
      attributes += [Self.attribute("boxLabel", "String"), Self.attribute("boxSize", "Integer 64")]
    }
    if !has(.split) { attributes += Self.addressAttributes }
    var links = [
      Self.link(relinks ? "tags" : "tag", to: tagEntity, inverse: "items", isToMany: relinks)
    ]
    if has(.split) { links.append(Self.link("address", to: "Address", inverse: nil)) }
    if !has(.inline) { links.append(Self.link("box", to: "Box", inverse: "items")) }
    let inverse = relinks ? "tags" : "tag"
    var entities = [
      Self.entity("Item", attributes, links),
      Self.entity(
        tagEntity, Self.tagAttributes,
        [Self.link("items", to: "Item", inverse: inverse, isToMany: true)]),
    ]
    if has(.split) { entities.append(Self.entity("Address", Self.addressAttributes, [])) }
    if !has(.inline) {
      entities.append(
        Self.entity(
          "Box", Self.boxAttributes,
          [Self.link("items", to: "Item", inverse: "box", isToMany: true)]
        ))
    }
    return try Self.schema("V2", entities + otherEntities())
  }

  // MARK: Steps

  /// The steps of the migration file.
  var text: String {
    ([#"{ "add": "Item.extra", "default": "new" }"#] + parts.map(text)).joined(separator: ", ")
  }

  private func text(of part: Part) -> String {
    switch part {
    case .fill: #"{ "backfill": "Item.name", "where": "null", "value": "x" }"#
    case .compute:
      #"""
      { "compute": "Item.metres", "sql": "feet * 0.5", "inverse": { "feet": "metres * 2" } },
      { "drop": "Item.feet" }
      """#
    case .label:
      #"""
      { "compute": "Item.label",
        "sql": "coalesce(name, '-') || '/' || coalesce(state, '?') || '/' || coalesce(tag.name, '!')" }
      """#
    case .map: #"{ "map": "Item.state", "values": { "0": "open", "1": "done" }, "else": "other" }"#
    case .retype: #"{ "retype": "Item.count", "else": null }"#
    case .text: #"{ "retype": "Item.day", "format": "yyyy-MM-dd HH:mm" }"#
    case .uuid: #"{ "new-uuid": "Item.id" }"#
    case .sequence:
      #"{ "sequence": "Item.place", "by": ["name"], "from": 5, "within": "tag" }"#
    case .require:
      #"{ "require": "Item", "sql": "name IS NULL OR length(name) > 0", "because": "a name has letters" }"#
    case .deleteItems:
      #"{ "delete": "Item", "where": "name = 'c' OR state = 1", "because": "they are old" }"#
    case .deleteTags: #"{ "delete": "Tag", "where": "rank = 1", "because": "they are old" }"#
    case .unite:
      #"{ "unite": "Tag", "by": ["name"], "keep": "\#(keepsNewest ? "newest" : "oldest") rank" }"#
    case .relink: #"{ "rename": "Item.tag", "to": "tags" }, { "relink": "Item.tags" }"#
    case .rename:
      has(.drop) && isBefore(.drop, .rename)
        ? noStep : #"{ "rename": "Item.note", "to": "remark" }"#
    case .renameEntity: #"{ "rename": "Tag", "to": "Label" }"#
    case .drop:
      #"{ "drop": "Item.\#(has(.rename) && isBefore(.rename, .drop) ? "remark" : "note")" }"#
    case .split:
      #"""
      { "split": "Item", "into": "Address", "attributes": ["street", "city"], "link": "address",
        "per": "\#(sharesAddresses ? "value" : "row")" }
      """#
    case .inline:
      #"{ "inline": "Item.box", "attributes": { "label": "boxLabel", "size": "boxSize" } }"#
    case .convert: #"{ "convert": "Item.level", "with": "real" }"#
    case .merge: #"{ "merge": ["Circle.radius", "Square.side"], "to": "Shape.size" }"#
    case .divide:
      #"{ "split": "Shape.weight", "to": ["Circle.circleWeight", "Square.squareWeight"] }"#
    case .dropEntity: #"{ "drop": "Receipt" }"#
    }
  }

  /// A step in place of one that has nothing to do.
  private var noStep: String {
    #"{ "require": "Tag", "sql": "1", "because": "nothing is required" }"#
  }

  private func isBefore(_ first: Part, _ second: Part) -> Bool {
    (parts.firstIndex(of: first) ?? 0) < (parts.firstIndex(of: second) ?? 0)
  }
}
