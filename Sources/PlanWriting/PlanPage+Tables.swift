import SafeText
import StoreModel
import StoreMigration
import Migrations
import OutboxConversion
import StoreProof

extension PlanPage {
  /// The steps, in a table for each migration.
  var steps: HTML {
    HTML("section", ["id": "steps"]) {
      HTML("h2") { "Steps" }
      for migration in outcome.plan.migrations {
        if outcome.plan.migrations.count > 1 { HTML("h3") { migration } }
        HTML("div", ["class": "scroll"]) {
          table(["", "Object", "New name", "#Rows", "Step"], stacks: true) {
            for step in outcome.plan.steps where step.migration == migration { row(of: step) }
          }
        }
      }
    }
  }

  private func row(of step: PlannedStep) -> HTML {
    let tone = step.sign == "+" ? "good" : step.sign == "-" ? "bad" : "changed"
    return HTML("tr", ["data-find": ""]) {
      HTML("td", ["class": tone]) { HTML("b") { step.sign } }
      HTML("td") { HTML("code") { step.object } }
      HTML("td") { if let name = step.newName { HTML("code") { name } } }
      HTML("td", ["class": "number", "data-unit": step.rows == 1 ? "row" : "rows"]) {
        step.rows.grouped
      }
      HTML("td") {
        step.verb == "rename" ? "rename, values unchanged" : step.verb
        if !step.isReversible {
          " "
          HTML("span", ["class": "tag changed"]) { "one-way" }
        }
      }
    }
  }

  /// The results of the outbox rows, in the deliverable form.
  @HTMLBuilder var outbox: HTML {
    if let outbox = outcome.plan.outbox {
      HTML("section", ["id": "outbox"]) {
        HTML("h2") { outbox.title }
        HTML("div", ["class": "scroll"]) {
          table(["Result", "#Rows", ""]) {
            for part in outbox.parts {
              HTML("tr", ["data-find": ""]) {
                HTML("td") { part.name }
                HTML("td", ["class": "number"]) { part.rows.grouped }
                HTML("td", ["class": "dim"]) { part.words }
              }
            }
          }
        }
      }
    }
  }

  /// The examples: the first row of each class, before and after.
  @HTMLBuilder var examples: HTML {
    if !outcome.plan.examples.isEmpty {
      HTML("section", ["id": "examples"]) {
        HTML("h2") { "Examples" }
        HTML("p", ["class": "dim"]) {
          "The first row of each class. Unless '--show-values' was given, values appear as "
            + "fingerprints; equal values have equal fingerprints."
        }
        HTML("div", ["class": "scroll"]) {
          table(["Row", "Before", "After", "Class"], stacks: true) {
            for example in outcome.plan.examples {
              HTML("tr", ["data-find": ""]) {
                for text in [example.row, example.beforeText, example.afterText] {
                  HTML("td") { HTML("code") { text } }
                }
                HTML("td") { HTML("span", ["class": "tag moved"]) { example.kind } }
              }
            }
          }
        }
      }
    }
  }

  /// The losses: values that can't be restored from the target.
  @HTMLBuilder var losses: HTML {
    let open = Set(outcome.plan.openLosses(accepted: outcome.accepted))
    if !outcome.plan.losses.isEmpty {
      HTML("section", ["id": "losses"]) {
        HTML("h2") { "Losses" }
        HTML("p", ["class": "dim"]) {
          "Values that can't be restored from \(outcome.plan.to). The snapshot keeps them. You accept a "
            + "loss by the name of its step."
        }
        HTML("div", ["class": "scroll"]) {
          table(["Step", "#Lost", ""]) {
            for loss in outcome.plan.losses {
              HTML("tr", ["data-find": ""]) {
                HTML("td") { HTML("code", ["class": "bad"]) { loss.step } }
                HTML("td", ["class": "number"]) { loss.amount }
                HTML("td", ["class": "dim"]) {
                  if !open.contains(loss) { "accepted" }
                }
              }
            }
          }
        }
      }
    }
  }

  @HTMLBuilder func eventTypes(of warning: PlanWarning) -> HTML {
    let types = warning.rankedTypes
    let most = types.first?.rows ?? 1
    if !types.isEmpty {
      HTML("details") {
        HTML("summary") { types.count.counted("event type") }
        table(["Event type", "", "#Rows"]) {
          for type in types {
            HTML("tr", ["data-find": ""]) {
              HTML("td") { HTML("code") { type.name } }
              HTML("td") { bar([type.rows], of: most, class: "bar thin") }
              HTML("td", ["class": "number"]) { type.rows.grouped }
            }
          }
        }
      }
    }
  }

  /// Returns a table; `#` before a title marks a column of numbers.
  ///
  /// On a narrow page, the cells of a table that stacks stand below each other.
  func table(
    _ titles: [String], stacks: Bool = false, @HTMLBuilder rows: () -> HTML
  ) -> HTML {
    HTML("table", ["class": stacks ? "stack" : ""]) {
      HTML("thead") {
        HTML("tr") {
          for title in titles {
            if title.hasPrefix("#") {
              HTML("th", ["class": "number"]) { String(title.dropFirst()) }
            } else {
              HTML("th") { title }
            }
          }
        }
      }
      HTML("tbody") { rows() }
    }
  }
}
