/// A part of a model that SwiftData can't declare.
package struct SwiftDataLimit: Hashable, Sendable {
  /// The entity, or `Entity.property`.
  package let object: String

  /// Why SwiftData can't declare it, as the rest of a sentence.
  package let reason: String
}

extension SwiftDataLimit: CustomStringConvertible {
  package var description: String { "'\(object)' \(reason)" }
}
