import SafeText
import StoreModel
import StoreMigration

extension PlanPage {
  /// The conversions: a bar for each attribute, divided by the kind of result.
  @HTMLBuilder var conversions: HTML {
    if !outcome.plan.conversions.isEmpty {
      HTML("section", ["id": "conversions"]) {
        HTML("h2") { "Conversions" }
        for conversion in outcome.plan.conversions {
          HTML("h3") {
            HTML("code") { conversion.object }
            " → "
            HTML("code") { conversion.target }
            HTML("span", ["class": "dim"]) { " · \(conversion.countedRows)" }
          }
          bar(conversion.classes.map(\.count), of: conversion.rows, class: "bar")
          legend(of: conversion)
        }
      }
    }
  }

  private func legend(of conversion: PlannedConversion) -> HTML {
    HTML("ul", ["class": "legend"]) {
      for (index, each) in conversion.classes.enumerated() {
        HTML("li") {
          HTML("svg", ["viewBox": "0 0 1 1", "aria-hidden": "true"]) {
            HTML("rect", ["class": "c\(index % 6)", "width": "1", "height": "1"])
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

  /// Returns a bar with a segment for each number; a small segment keeps a visible width.
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
      for index in parts.indices where parts[index] > 0 {
        HTML(
          "rect",
          [
            "class": "c\(index % 6)", "x": starts[index].short, "width": widths[index].short,
            "height": "1",
          ])
      }
    }
  }
}

extension Double {
  /// The number with at most one decimal, for coordinates.
  var short: String {
    let tenths = Int((self * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : "\(Double(tenths) / 10)"
  }
}
