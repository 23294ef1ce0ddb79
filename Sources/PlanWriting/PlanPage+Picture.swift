import SafeText
import StoreMigration
import StoreProof

extension PlanPage {
  /// The entities before and after, side by side, with a line for each changed property.
  @HTMLBuilder var picture: HTML {
    let picture = PlanPicture(outcome.plan.steps)
    HTML("section", ["id": "picture"]) {
      HTML("h2") { "Before and after" }
      svg(Drawing(picture, width: 960, boxWidth: 380), class: "wide")
      svg(Drawing(picture, width: 456, boxWidth: 214), class: "narrow")
      HTML("div", ["class": "key"]) {
        HTML("span", ["class": "tag moved"]) { "renamed" }
        HTML("span", ["class": "tag changed"]) { "converted or filled ~" }
        HTML("span", ["class": "tag good"]) { "new +" }
        HTML("span", ["class": "tag bad"]) { "dropped -" }
        HTML("span", ["class": "dim"]) { "Entities without steps are copied unchanged." }
      }
    }
  }

  private func svg(_ drawing: Drawing, class name: String) -> HTML {
    HTML(
      "svg",
      [
        "class": "picture \(name)", "viewBox": "0 0 \(drawing.width) \(drawing.height)",
        "role": "img",
        "aria-label":
          "The entities before and after; the table of steps below has the same information",
      ]
    ) {
      HTML("text", ["class": "dim", "x": "0", "y": "14"]) { outcome.plan.from }
      HTML("text", ["class": "dim", "x": "\(drawing.rightEdge)", "y": "14"]) { outcome.plan.to }
      drawing.lines
      drawing.boxes
    }
  }
}

/// The layout of a picture, in pixels.
private struct Drawing {
  let width: Int
  let boxWidth: Int
  var rightEdge: Int { width - boxWidth }
  static let headHeight = 30
  static let rowHeight = 24
  static let gap = 22

  let picture: PlanPicture
  private let lost: Set<PlanPicture.PropertyIndex>

  /// The upper edge of each entity.
  private let tops: [Int]

  let height: Int

  init(_ picture: PlanPicture, width: Int, boxWidth: Int) {
    (self.picture, self.width, self.boxWidth) = (picture, width, boxWidth)
    lost = picture.lost
    var top = 26
    var tops = picture.entities.map { _ in 0 }
    // New entities come last: no line leads to them.
    let entities = picture.entities.enumerated()
    for (index, entity) in entities.filter({ $1.before != nil })
      + entities.filter({ $1.before == nil })
    {
      tops[index] = top
      let rows = max(entity.sources.count, entity.targets.count)
      top += Self.headHeight + rows * Self.rowHeight + Self.gap + (rows > 0 ? 8 : 0)
    }
    self.tops = tops
    height = max(top - Self.gap + 2, 40)
  }

  /// The lines from the source's properties to the target's.
  @HTMLBuilder var lines: HTML {
    for (index, entity) in picture.entities.enumerated() {
      if entity.before != nil && entity.after != nil {
        let y = tops[index] + Self.headHeight / 2
        HTML("path", ["class": "entity", "d": "M\(boxWidth) \(y)H\(rightEdge)"])
      }
      for (row, target) in entity.targets.enumerated() {
        for source in target.origin.sources {
          line(
            from: rowMiddle(source.property, of: source.entity), to: rowMiddle(row, of: index),
            as: target.origin.change)
        }
      }
    }
  }

  private func line(from start: Int, to end: Int, as change: PlanPicture.Origin.Change) -> HTML {
    let middle = width / 2
    return HTML(
      "path",
      [
        "class": "\(change)",
        "d":
          "M\(boxWidth) \(start)C\(middle) \(start) \(middle) \(end) \(rightEdge) \(end)",
      ])
  }

  private func rowMiddle(_ row: Int, of entity: Int) -> Int {
    tops[entity] + Self.headHeight + 4 + row * Self.rowHeight + Self.rowHeight / 2
  }

  @HTMLBuilder var boxes: HTML {
    for (index, entity) in picture.entities.enumerated() {
      if let name = entity.before {
        box(
          name, tone: entity.after == nil ? "lost" : "name",
          note: entity.after == nil ? "gone" : entity.rows.counted("row"), x: 0, of: index,
          rows: entity.sources.enumerated().map { row, property in
            let isLost = lost.contains(.init(entity: index, property: row))
            return (property, isLost ? "lost" : "", isLost ? "-" : "")
          })
      }
      if let name = entity.after {
        box(
          name, note: entity.before == nil ? "new" : entity.rows.counted("row"), x: rightEdge,
          of: index,
          rows: entity.targets.map { target in
            let sign = target.origin.change == .added ? "+" : target.origin.isInPlace ? "" : "~"
            return (
              target.name, target.origin.sources.isEmpty ? "\(target.origin.change)" : "", sign
            )
          })
      }
    }
  }

  private func box(
    _ name: String, tone: String = "name", note: String, x: Int, of entity: Int,
    rows: [(name: String, tone: String, sign: String)]
  ) -> HTML {
    let height = Self.headHeight + rows.count * Self.rowHeight + (rows.isEmpty ? 0 : 8)
    let (top, width) = (tops[entity], boxWidth)
    return HTML("g") {
      HTML(
        "rect",
        [
          "class": "box", "x": "\(x)", "y": "\(top)", "width": "\(width)", "height": "\(height)",
          "rx": "8",
        ])
      HTML(
        "rect",
        [
          "class": "head", "x": "\(x + 1)", "y": "\(top + 1)", "width": "\(width - 2)",
          "height": "\(Self.headHeight - 2)", "rx": "7",
        ])
      heading(name, tone: tone, note: note, x: x, y: top + 20)
      for (row, property) in rows.enumerated() {
        let y = rowMiddle(row, of: entity) + 4
        label(property.name, class: property.tone, x: x + 28, y: y, room: boxWidth / 8 - 5)
        if !property.sign.isEmpty {
          HTML("text", ["class": property.tone, "x": "\(x + 12)", "y": "\(y)"]) { property.sign }
        }
      }
    }
  }

  /// Returns an entity's name with a note beside it, if both have room.
  @HTMLBuilder private func heading(
    _ name: String, tone: String, note: String, x: Int, y: Int
  ) -> HTML {
    // A letter is eight pixels wide.
    let room = boxWidth / 8 - 4
    let hasNote = boxWidth > 300 || name.count + note.count < room
    label(name, class: tone, x: x + 12, y: y, room: hasNote ? room - note.count : room)
    if hasNote {
      HTML(
        "text",
        [
          "class": note == "gone" ? "gone" : "dim", "x": "\(x + boxWidth - 12)", "y": "\(y)",
          "text-anchor": "end",
        ]
      ) { note }
    }
  }

  /// Returns a name, truncated to the room; a tooltip shows the whole name.
  private func label(_ name: String, class tone: String, x: Int, y: Int, room: Int) -> HTML {
    let name = name.printable
    return HTML("text", ["class": tone, "x": "\(x)", "y": "\(y)"]) {
      if name.count > room {
        HTML("title") { name }
        String(name.prefix(room - 1)) + "…"
      } else {
        name
      }
    }
  }
}

extension PlanPicture.Origin {
  /// A Boolean value indicating whether the values are unchanged.
  fileprivate var isInPlace: Bool { change == .renamed || change == .moved }
}
