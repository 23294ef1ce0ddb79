import StoreMigration

/// A plan as a page for a browser.
struct PlanPage {
  let outcome: PlanOutcome
  let style: Style

  init(_ outcome: PlanOutcome, _ style: Style) {
    self.outcome = outcome
    self.style = Style(migrations: style.migrations)
  }

  /// The whole file, without a line break at its end.
  var text: String {
    let plan = outcome.plan
    let way = plan.hasChanges ? "\(plan.from) → \(plan.to)" : plan.to
    let body = HTML("main") {
      HTML("header") {
        HTML("h1") { "\(plan.app) \(way)" }
        HTML("p", ["class": "dim"]) { HTML("code") { outcome.path } }
      }
      if plan.hasChanges {
        summary
        search
        picture
        conversions
        losses
        warnings
        steps
      } else {
        HTML("section") { "No changes: the store is at \(plan.to)." }
      }
      HTML("footer") {
        "Made by outbox-migrate \(toolVersion). Nothing has been written to the store."
      }
    }
    return HTMLPage(title: "\(plan.app) \(way): \(outcome.path)", body: body).text
  }
}

extension PlanPage {
  private var summary: HTML {
    HTML("div") {
      HTML("div", ["class": "tiles"]) {
        tile(outcome.changedRows.grouped, outcome.changedRows == 1 ? "row changed" : "rows changed")
        tile(
          outcome.lostValues.grouped, outcome.lostValues == 1 ? "value lost" : "values lost",
          tone: outcome.lostValues == 0 ? "good" : "bad")
        tile(
          outcome.plan.steps.count.grouped,
          (outcome.plan.steps.count == 1 ? "step, " : "steps, ")
            + "\(outcome.oneWayCount.grouped) one-way",
          tone: outcome.oneWayCount == 0 ? "" : "changed")
        tile(
          outcome.plan.isReversible ? "yes" : "no",
          outcome.plan.isReversible ? "reversible" : "reversible only by the snapshot",
          tone: outcome.plan.isReversible ? "good" : "")
        tile(outcome.plan.neededBytes.byteSize, "of disk needed")
      }
      HTML("div", ["class": "command"]) {
        HTML("pre", ["id": "command"]) { style.command(outcome.applyWords) }
        HTML("button", ["id": "copy", "type": "button", "hidden": ""]) { "copy" }
      }
    }
  }

  private func tile(_ number: String, _ words: String, tone: String = "") -> HTML {
    HTML("div", ["class": "tile \(tone)"]) {
      HTML("b") { number }
      HTML("span") { words }
    }
  }

  private var search: HTML {
    HTML("div", ["id": "search", "hidden": ""]) {
      HTML(
        "input",
        [
          "id": "find", "type": "search", "placeholder": "Find an entity, attribute or event type",
          "aria-label": "Find in the tables",
        ])
      HTML("span", ["id": "found", "class": "dim", "aria-live": "polite"])
    }
  }
}
