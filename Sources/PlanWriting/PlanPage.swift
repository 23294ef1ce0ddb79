import SafeText
import StoreModel
import StoreMigration
import Migrations

/// A plan as an HTML page.
struct PlanPage {
  let outcome: PlanOutcome
  let style: Style

  init(_ outcome: PlanOutcome, _ style: Style) {
    self.outcome = outcome
    self.style = Style(migrations: style.migrations, model: style.model)
  }

  /// The whole file, without a trailing newline.
  var text: String {
    let plan = outcome.plan
    let versions = plan.hasChanges ? "\(plan.from) → \(plan.to)" : plan.to
    let body = HTML("main") {
      HTML("header") {
        HTML("h1") { "\(plan.app) \(versions)" }
        HTML("p", ["class": "dim"]) {
          HTML("code") { outcome.path }
          if let file = outcome.file, !file.isNew {
            ", planned by \(file.tool), saved in "
            HTML("code") { file.path }
          }
        }
      }
      if plan.hasChanges {
        summary
        blockers
        search
        picture
        outbox
        conversions
        examples
        losses
        warnings
        steps
      } else {
        HTML("section") { plan.summary }
      }
      HTML("footer") {
        "Created by outbox-migrate \(toolVersion). Nothing has been written to the store."
      }
    }
    return HTMLPage(title: "\(plan.app) \(versions): \(outcome.path)", body: body).text
  }
}

extension PlanPage {
  private var summary: HTML {
    let plan = outcome.plan
    let next = outcome.nextCommand(style)
    return HTML("div") {
      HTML("div", ["class": "tiles"]) {
        tile(plan.rowsWritten.grouped, plan.rowsWritten == 1 ? "row to write" : "rows to write")
        tile(
          plan.lostValues.grouped,
          (plan.lostValues == 1 ? "value" : "values")
            + " and \(plan.lostRows.counted("row")) to lose",
          tone: plan.losses.isEmpty ? "good" : "bad")
        if plan.keptOutRows > 0 {
          tile(
            plan.keptOutRows.grouped,
            (plan.keptOutRows == 1 ? "outbox row" : "outbox rows") + " to keep out", tone: "changed"
          )
        }
        tile(
          plan.steps.count.grouped,
          (plan.steps.count == 1 ? "step, " : "steps, ") + "\(plan.oneWayCount.grouped) one-way",
          tone: plan.oneWayCount == 0 ? "" : "changed")
        tile(
          plan.isReversible ? "yes" : "no",
          plan.isReversible ? "reversible" : "reversible only with the snapshot",
          tone: plan.isReversible ? "good" : "")
        tile(plan.neededBytes.byteSize, "disk space needed")
      }
      HTML("p", ["class": "dim next"]) { next.purpose + ":" }
      HTML("div", ["class": "command"]) {
        HTML("pre", ["id": "command"]) { next.command }
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
