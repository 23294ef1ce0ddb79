import SafeText
import StoreModel
import StoreMigration

/// A plan as a comment on a pull request: the summary first, the details collapsed.
struct PlanComment {
  /// The maximum number of bytes; GitHub refuses comments over 65,536 characters.
  static let limit = 65_000

  /// The maximum number of entries of a list outside the collapsed tables.
  private static let listLimit = 20

  /// The maximum number of bytes of such a list.
  private static let listSize = 15_000

  private let outcome: PlanOutcome
  private let style: Style

  init(_ outcome: PlanOutcome, _ style: Style) {
    self.outcome = outcome
    self.style = Style(migrations: style.migrations, model: style.model)
  }

  /// The whole text, without a trailing newline.
  var text: String {
    let plan = outcome.plan
    guard plan.hasChanges else {
      return (title + [Markdown.text(plan.summary)] + saved).joined(separator: "\n")
    }
    let head =
      title + summary + saved + outboxLines + lossLines + warningLines + blockerLines + next
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

// MARK: - Summary

extension PlanComment {
  private var title: [String] {
    let plan = outcome.plan
    let words = plan.hasChanges ? [plan.app, plan.from, "→", plan.to] : [plan.app, plan.to]
    return ["### " + words.map { Markdown.text($0, limit: 200) }.joined(separator: " "), ""]
  }

  private var summary: [String] {
    let source = outcome.file.map { file in
      file.isNew
        ? "" : ", planned by \(Markdown.text(file.tool, limit: 200)) in \(Markdown.code(file.path))"
    }
    return [
      "**\(Markdown.text(outcome.plan.summary))**", "",
      "\(Markdown.code(outcome.path))\(source ?? ""): \(outcome.plan.stepSummary).",
    ]
  }

  private var saved: [String] {
    outcome.savedLines.isEmpty ? [] : [""] + outcome.savedLines.map { Markdown.text($0) }
  }

  private var lossLines: [String] {
    if outcome.plan.losses.isEmpty { return [] }
    let target = Markdown.text(outcome.plan.to, limit: 200)
    return [
      "", "**Losses**: values that can't be restored from \(target); the snapshot keeps them", "",
    ]
      + Markdown.list(lossEntries, most: Self.listLimit, bytes: Self.listSize)
  }

  private var outboxLines: [String] {
    guard let outbox = outcome.plan.outbox else { return [] }
    let entries = outbox.parts.map {
      "\($0.name): \($0.rows.counted("row")); \(Markdown.text($0.words))"
    }
    return ["", "**\(outbox.title)**", ""] + entries.map { "- " + $0 }
  }

  private var lossEntries: [String] {
    let open = Set(outcome.plan.openLosses(accepted: outcome.accepted))
    return outcome.plan.losses.map { loss in
      "\(Markdown.code(loss.step)): \(loss.amount)" + (open.contains(loss) ? "" : ", accepted")
    }
  }

  private var warningLines: [String] {
    if outcome.plan.warnings.isEmpty { return [] }
    let entries = outcome.plan.warnings.map {
      "\(Markdown.code($0.code)): \($0.rows.counted("row")); \(Markdown.message($0.message))"
    }
    return ["", "**Warnings**", ""]
      + Markdown.list(entries, most: Self.listLimit, bytes: Self.listSize)
  }

  private var blockerLines: [String] {
    let blockers = outcome.plan.blockers
    if blockers.isEmpty { return [] }
    let entries = blockers.map {
      "\(Markdown.code($0.code)) (\($0.measure)): \(Markdown.message($0.message))"
    }
    return ["", "**\(Markdown.text(PlanBlocker.title))**", ""]
      + Markdown.list(entries, most: Self.listLimit, bytes: Self.listSize)
  }

  private var next: [String] {
    let next = outcome.nextCommand(style)
    return ["", "\(next.purpose):", ""] + Markdown.block(next.command)
  }
}

// MARK: - Details

extension PlanComment {
  private var folds: [MarkdownFold] {
    [losses, steps, conversions, examples, eventTypes]
  }

  /// All losses, if the list can't show them.
  private var losses: MarkdownFold {
    let losses = outcome.plan.losses
    return MarkdownFold(
      losses.count.counted("loss", "losses"), titles: ["step", ""],
      rows: losses.count <= Self.listLimit && lossEntries.size <= Self.listSize
        ? [] : losses.map { [Markdown.code($0.step), $0.amount] })
  }

  private var steps: MarkdownFold {
    MarkdownFold(
      outcome.plan.steps.count.counted("step"),
      titles: ["migration", "", "object", "new name", "rows", ""], numbers: [4],
      rows: outcome.plan.steps.map { step in
        [
          Markdown.code(step.migration), Markdown.code(step.sign), Markdown.code(step.object),
          step.newName.map(Markdown.code) ?? "", step.rows.grouped, Markdown.text(step.action),
        ]
      })
  }

  private var conversions: MarkdownFold {
    MarkdownFold(
      outcome.plan.conversions.count.counted("conversion"),
      titles: ["attribute", "new attribute", "class", "values"], numbers: [3],
      rows: outcome.plan.conversions.flatMap { conversion in
        conversion.classes.map { each in
          [
            Markdown.code(conversion.object), Markdown.code(conversion.target),
            Markdown.text(each.name), each.count.grouped,
          ]
        }
      })
  }

  private var examples: MarkdownFold {
    MarkdownFold(
      outcome.plan.examples.count.counted("example"),
      titles: ["row", "before", "after", "class"],
      rows: outcome.plan.examples.map { example in
        [example.row, example.beforeText, example.afterText, example.kind].map(Markdown.code)
      })
  }

  private var eventTypes: MarkdownFold {
    let rows = outcome.plan.warnings.flatMap { warning in
      warning.rankedTypes.map {
        [Markdown.code(warning.code), Markdown.code($0.name), $0.rows.grouped]
      }
    }
    return MarkdownFold(
      "Warnings by event type", titles: ["warning", "event type", "rows"], numbers: [2], rows: rows)
  }
}
