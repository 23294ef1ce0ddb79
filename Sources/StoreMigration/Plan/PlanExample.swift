import RowRewriting
package import StoreProof

/// A row whose values change their form, before and after; the first of its kind.
package struct PlanExample: Hashable, Sendable {
  /// A value in an example.
  package struct Part: Hashable, Sendable {
    /// The attribute; a composite's leaf is `attribute.leaf`.
    package let attribute: String

    /// The value's fingerprint, with the value itself if it was requested.
    package let fingerprint: ValueFingerprint

    package init(attribute: String, fingerprint: ValueFingerprint) {
      self.attribute = attribute
      self.fingerprint = fingerprint
    }
  }

  /// The row's entity, in the source.
  package let entity: String

  /// The row's entity, in the target.
  package let newEntity: String

  /// The row's key.
  package let key: Int64

  /// The class of the conversion's result, as the plan counts it.
  ///
  /// It is `filled` for a backfill, and `lost` for a value that can't be restored from the one that
  /// replaces it.
  package let kind: String

  /// The values that are read, in the source's names.
  package let before: [Part]

  /// The values that they become, in the target's names.
  package let after: [Part]
}

extension Plan {
  /// The plan without values: examples show fingerprints only.
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
  fileprivate var masked: Self { Self(attribute: attribute, fingerprint: fingerprint.masked) }
}
