import StoreMigration
package import Migrations
package import RowRewriting

extension PlanPage {
  /// What becomes of the values that change their form: a bar for each attribute.
  @HTMLBuilder var conversions: HTML {
    if !outcome.plan.conversions.isEmpty {
      HTML("section", ["id": "conversions"]) {
        HTML("h2") { "Conversions" }
        for conversion in outcome.plan.conversions {
          HTML("h3") {
            HTML("code") { conversion.object }
            " → "
            HTML("code") { conversion.target }
            HTML("span", ["class": "dim"]) { " · \(conversion.rows.counted("value"))" }
          }
          bar(conversion.classes.map(\.count), of: conversion.rows, class: "bar")
          legend(of: conversion)
        }
      }
    }
  }

  private func legend(of conversion: PlannedConversion) -> HTML {
    HTML("ul", ["class": "legend"]) {
      for (place, each) in conversion.classes.enumerated() {
        HTML("li") {
          HTML("svg", ["viewBox": "0 0 1 1", "aria-hidden": "true"]) {
            HTML("rect", ["class": "c\(place % 6)", "width": "1", "height": "1"])
          }
          HTML("b") { each.count.grouped }
          " \(each.name)"
          HTML("span", ["class": "dim"]) { share(of: each.count, in: conversion.rows) }
        }
      }
    }
  }

  private func share(of part: Int64, in whole: Int64) -> String {
    guard whole > 0, part > 0 else { return "" }
    let percent = Double(part) / Double(whole) * 100
    return percent < 1 ? " under 1 %" : " \(Int(percent.rounded())) %"
  }

  /// A bar with a part for each number; numbers that aren't zero can be seen.
  func bar(_ parts: [Int64], of whole: Int64, class name: String) -> HTML {
    let scale = 1_000 / Double(max(whole, 1))
    let widths = parts.map { $0 == 0 ? 0 : max(3, Double($0) * scale) }
    let starts = widths.indices.map { widths[..<$0].reduce(0, +) }
    return HTML(
      "svg",
      [
        "class": name, "viewBox": "0 0 \(max(1_000, widths.reduce(0, +)).short) 1",
        "preserveAspectRatio": "none", "aria-hidden": "true",
      ]
    ) {
      for place in parts.indices where parts[place] > 0 {
        HTML(
          "rect",
          [
            "class": "c\(place % 6)", "x": starts[place].short, "width": widths[place].short,
            "height": "1",
          ])
      }
    }
  }
}

extension Double {
  /// The number with one digit after the point, for coordinates.
  var short: String {
    let tenths = Int((self * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : "\(Double(tenths) / 10)"
  }
}
