import StoreMigration

/// A plan as a comment on a pull request: what matters first, the details folded.
struct PlanComment {
  /// The most bytes; GitHub refuses comments of more than 65,536 characters.
  static let limit = 65_000

  private let outcome: PlanOutcome
  private let style: Style

  init(_ outcome: PlanOutcome, _ style: Style) {
    self.outcome = outcome
    self.style = Style(migrations: style.migrations)
  }

  /// The whole text, without a line break at its end.
  var text: String {
    let plan = outcome.plan
    guard plan.hasChanges else {
      let version = "\(Markdown.text(plan.app)) \(Markdown.text(plan.to))"
      return "### \(version): no changes\n\n\(Markdown.code(outcome.path)) is at \(version)."
    }
    let head = title + table + lossLines + warningLines + apply
    let folds = self.folds.filter { !$0.rows.isEmpty }
    var rest = Self.limit - head.size - folds.reduce(0) { $0 + $1.frameSize }
    let details = folds.flatMap { fold -> [String] in
      let count = fold.rows(within: rest)
      rest -= fold.rows.prefix(count).map(\.self).size
      return fold.lines(count)
    }
    return (head + details).joined(separator: "\n")
  }
}

// MARK: - What matters

extension PlanComment {
  private var title: [String] {
    let plan = outcome.plan
    let way = [plan.app, plan.from, "→", plan.to].map(Markdown.text).joined(separator: " ")
    return [
      "### \(way): \(outcome.changedRows.counted("row")) changed, "
        + "\(outcome.lostValues.counted("value")) lost", "",
    ]
  }

  private var table: [String] {
    let plan = outcome.plan
    return [
      ["store", Markdown.code(outcome.path)], ["---", "---"], ["steps", outcome.stepSummary],
      ["reversible", outcome.reversibility], ["disk", plan.neededBytes.byteSize],
    ].map(Markdown.row)
  }

  private var lossLines: [String] {
    if outcome.losses.isEmpty { return [] }
    let shown = outcome.losses.prefix(20).map {
      "- \(Markdown.code($0.step)): \($0.rows.counted("value"))"
    }
    let rest = outcome.losses.count - shown.count
    let more = rest > 0 ? ["- and \(rest.grouped) more, below"] : []
    let place = Markdown.text(outcome.plan.to)
    return ["", "**Losses**: what has no place in \(place); the snapshot keeps it", ""] + shown
      + more
  }

  private var warningLines: [String] {
    if outcome.plan.warnings.isEmpty { return [] }
    let shown = outcome.plan.warnings.prefix(20).map {
      "- \(Markdown.code($0.code)): \($0.rows.counted("row")); \(Markdown.text($0.message))"
    }
    return ["", "**Warnings**", ""] + shown
  }

  private var apply: [String] {
    ["", "To do exactly this:", ""] + Markdown.block(style.command(outcome.applyWords))
  }
}

// MARK: - Details

extension PlanComment {
  private var folds: [MarkdownFold] {
    [losses, steps, conversions, eventTypes]
  }

  /// All losses, where there are too many for the list.
  private var losses: MarkdownFold {
    MarkdownFold(
      outcome.losses.count.counted("loss", "losses"), titles: ["step", "values"], numbers: [1],
      rows: outcome.losses.count <= 20
        ? [] : outcome.losses.map { [Markdown.code($0.step), $0.rows.grouped] })
  }

  private var steps: MarkdownFold {
    MarkdownFold(
      outcome.plan.steps.count.counted("step"),
      titles: ["migration", "", "object", "becomes", "rows", ""], numbers: [4],
      rows: outcome.plan.steps.map { step in
        [
          Markdown.code(step.migration), Markdown.code(step.sign), Markdown.code(step.object),
          step.newName.map(Markdown.code) ?? "", step.rows.grouped, Markdown.text(step.deed),
        ]
      })
  }

  private var conversions: MarkdownFold {
    MarkdownFold(
      outcome.plan.conversions.count.counted("conversion"),
      titles: ["attribute", "becomes", "class", "values"], numbers: [3],
      rows: outcome.plan.conversions.flatMap { conversion in
        conversion.classes.map { each in
          [
            Markdown.code(conversion.object), Markdown.code(conversion.target),
            Markdown.text(each.name), each.count.grouped,
          ]
        }
      })
  }

  private var eventTypes: MarkdownFold {
    let rows = outcome.plan.warnings.flatMap { warning in
      warning.rankedTypes.map {
        [Markdown.code(warning.code), Markdown.code($0.name), $0.rows.grouped]
      }
    }
    return MarkdownFold(
      "warnings by event type", titles: ["warning", "event type", "rows"], numbers: [2], rows: rows)
  }
}
