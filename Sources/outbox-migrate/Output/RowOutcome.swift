import PlanWriting
import JSONText
import RowInspection
import SafeText
import StoreMigration
import StoreModel
import StoreProof

/// The report of `row`.
struct RowOutcome: Report {
  let listing: RowListing

  /// The warnings about the store's files.
  let warnings: [PlanWarning]

  var members: [JSONValue.Member] {
    let selection = listing.selection
    return [
      .init("store", .string(listing.path)), .init("entity", JSONValue(selection?.entity)),
      .init("total", selection.map { .int($0.total) } ?? .null),
      .init("matching", selection.map { .int($0.matching) } ?? .null),
      .init("rows", JSONValue(listing.rows) { $0.json }),
      .init("warnings", JSONValue(warnings) { $0.json }),
    ]
  }

  func lines(_ style: Style) -> [String] {
    var lines: [String] = []
    if let selection = listing.selection {
      let matching = "\(selection.matching.grouped) of \(selection.total.counted("row")) match"
      lines = Columns(
        rows: [["Store", Cell(listing.path)], [Cell(selection.entity), Cell(matching)]], indent: 0
      ).lines(style)
    }
    for row in listing.rows { lines += (lines.isEmpty ? [] : [""]) + row.lines(style) }
    if let selection = listing.selection, selection.matching > listing.rows.count,
      !listing.rows.isEmpty
    {
      let rest = selection.matching - Int64(listing.rows.count)
      lines += ["", "\(rest.counted("more row")); to show more, give '--limit'."]
    }
    return lines + warnings.section(style)
  }
}

extension ShownRow {
  var json: JSONValue {
    [
      "entity": .string(entity), "key": .int(key),
      "properties": JSONValue(properties) { $0.json },
    ]
  }

  /// The row's name, then a line for each property.
  func lines(_ style: Style) -> [String] {
    ["\(entity)/\(key)".printable] + Columns(rows: properties.map(\.cells)).lines(style)
  }
}

extension ShownRow.Property {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(name)), .init("type", .string(type)),
    ]
    switch content {
    case .value(let fingerprint, let shape):
      members += [
        .init("value", .object(fingerprint.members)), .init("shape", JSONValue(shape?.text)),
      ]
    case .link(let link): members.append(.init("link", link?.json ?? .null))
    case .links(let links, let count):
      members += [.init("count", .int(count)), .init("links", JSONValue(links) { $0.json })]
    case .missingColumn: members.append(.init("missing", .bool(true)))
    }
    return .object(members)
  }

  fileprivate var cells: [Cell] {
    switch content {
    case .value(let fingerprint, let shape):
      [
        Cell(name), Cell(type),
        Cell(([fingerprint.text] + [shape?.text].compactMap(\.self)).joined(separator: ", ")),
      ]
    case .link(let link): [Cell(name), Cell(type), link?.cell ?? Cell("null")]
    case .links(let links, let count): [Cell(name), Cell(type), Cell(text(links, count))]
    case .missingColumn: [Cell(name), Cell(type), Cell("the store has no column for it", .bad)]
    }
  }

  private func text(_ links: [ShownRow.Link], _ count: Int64) -> String {
    let names = links.map(\.text) + (count > links.count ? ["…"] : [])
    return count.counted("row") + (names.isEmpty ? "" : ": " + names.joined(separator: ", "))
  }
}

extension ShownRow.Link {
  fileprivate var json: JSONValue {
    ["entity": .string(entity), "key": .int(key), "dangling": .bool(isDangling)]
  }

  fileprivate var text: String { "\(entity)/\(key)" + (isDangling ? " (no such row)" : "") }
  fileprivate var cell: Cell { Cell(text, isDangling ? .bad : .plain) }
}
