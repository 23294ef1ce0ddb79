import SafeText
import StoreMigration

extension PlanPage {
  /// The blockers: what `apply` refuses.
  @HTMLBuilder var blockers: HTML {
    if !outcome.plan.blockers.isEmpty {
      HTML("section", ["id": "blockers"]) {
        HTML("h2") { PlanBlocker.title }
        for blocker in outcome.plan.blockers {
          HTML("div", ["class": "warning"]) {
            HTML("p") {
              HTML("code") { HTML("b") { blocker.code } }
              " "
              HTML("span", ["class": "tag changed"]) { blocker.measure }
            }
            HTML("p", ["class": "dim"]) { prose(blocker.message) }
          }
        }
      }
    }
  }

  /// The warnings.
  @HTMLBuilder var warnings: HTML {
    if !outcome.plan.warnings.isEmpty {
      HTML("section", ["id": "warnings"]) {
        HTML("h2") { "Warnings" }
        for warning in outcome.plan.warnings {
          HTML("div", ["class": "warning"]) {
            HTML("p") {
              HTML("code") { HTML("b") { warning.code } }
              " "
              if warning.rows > 0 {
                HTML("span", ["class": "tag changed"]) { warning.rows.counted("row") }
              }
            }
            HTML("p", ["class": "dim"]) { prose(warning.message) }
            eventTypes(of: warning)
          }
        }
      }
    }
  }

  /// A message of the tool, with options as code.
  private func prose(_ message: String) -> [HTML] {
    message.optionParts.map { part in
      part.isCode ? HTML("code", ["class": "option"]) { part.text } : HTML(part.text)
    }
  }
}
