import Migrations
import RowRewriting
import OutboxConversion
package import StoreProof

/// A row whose values change their form, before and after: the first of its kind.
package struct PlanExample: Hashable, Sendable {
  /// A value in an example.
  package struct Part: Hashable, Sendable {
    /// The attribute, or the leaf of a composite as `attribute.leaf`.
    package let attribute: String

    /// What may be said of the value.
    package let mark: ValueMark

    package init(attribute: String, mark: ValueMark) {
      self.attribute = attribute
      self.mark = mark
    }
  }

  /// The row's entity, in the source.
  package let entity: String

  /// The row's entity, in the target.
  package let newEntity: String

  /// The row's key.
  package let key: Int64

  /// The class of what became of the values, as conversions count it; `filled` for a backfill.
  package let kind: String

  /// What is read, in the source's names.
  package let before: [Part]

  /// What is made of it, in the target's names.
  package let after: [Part]
}

extension Plan {
  /// The plan without values, whatever it was made with.
  package var masked: Plan {
    var plan = self
    plan.examples = examples.map { example in
      PlanExample(
        entity: example.entity, newEntity: example.newEntity, key: example.key,
        kind: example.kind, before: example.before.map(\.masked),
        after: example.after.map(\.masked))
    }
    return plan
  }
}

extension PlanExample.Part {
  fileprivate var masked: Self { Self(attribute: attribute, mark: mark.masked) }
}
