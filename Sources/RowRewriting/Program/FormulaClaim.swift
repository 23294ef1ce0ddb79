package import Migrations
import StoreFormat
import StoreModel

/// What an attribute of the target must be by the formulas of the steps.
///
/// It is made of the lineage alone. A program's columns and cells have no part in it, so a proof by
/// it notices if they are wrong.
package struct FormulaClaim: Hashable, Sendable {
  /// The target's entity that declares the attribute.
  package let entity: String

  /// The attribute's name, or the path of a composite's leaf with dots.
  package let path: String

  /// The origin of the value, with the user's options.
  package let value: Expression

  /// The source's entities whose rows have the attribute.
  package let sources: [String]

  /// The UUID of the old store, from which new ones are made.
  package let storeUUID: String?
}

extension ProgramBuilder {
  /// The claims about all attributes that formulas determine.
  var formulaClaims: [FormulaClaim] {
    lineage.entities.sorted { $0.key < $1.key }.flatMap { name, entity -> [FormulaClaim] in
      let tree = target.entities.map(\.name).filter { target.inherits($0, from: name) }
      let sources = tree.compactMap { lineage.entities[$0] }.flatMap(sources).sorted()
      return entity.cells.sorted { $0.key < $1.key }.compactMap { path, origin in
        let value = origin.binding(options)
        guard value.isClaimable else { return nil }
        return FormulaClaim(
          entity: name, path: path, value: value, sources: sources,
          storeUUID: store.metadata?.uuid)
      }
    }
  }
}

extension ProgramBuilder {
  /// The source's entities whose rows become rows of an entity.
  private func sources(of entity: Lineage.EntityLineage) -> [String] {
    // Rows of the owner's sub-entities are split, too.
    guard let owner = entity.split?.owner else { return [entity.source].compactMap(\.self) }
    return source.entities.map(\.name).filter { source.inherits($0, from: owner) }
  }
}

extension Expression {
  /// Whether formulas, conditions and the row's key alone determine the value.
  fileprivate var isClaimable: Bool {
    switch self {
    case .computed: options.isEmpty
    case .newUUID, .sequence: true
    case .conditional(let condition, let test, let then, let otherwise):
      [test, then, otherwise].contains(where: \.isClaimable)
        && [test, then, otherwise].allSatisfy { $0.isPlain || $0.isClaimable }
        && !condition.isAboutOtherRows
    case .cell, .constant, .option, .converted: false
    }
  }

  private var isPlain: Bool {
    switch self {
    case .cell, .constant: true
    case .computed, .conditional, .option, .converted, .newUUID, .sequence: false
    }
  }
}

extension Expression.Condition {
  fileprivate var isAboutOtherRows: Bool {
    if case .placeholder = self { true } else { false }
  }
}

extension RowProgram {
  /// The columns with results of formulas that no value of the target and no loss depends on.
  ///
  /// They have the classes of plans, and what the steps require.
  package var checkingColumns: Set<Int> {
    let parts = drops.flatMap(\.parts)
    let read: [[Cell]] = [
      cells, parts.map(\.cell), parts.compactMap(\.restoration), conversions.flatMap(\.inputs),
    ]
    let used = read.joined().flatMap { columns(of: $0) }
    let computed = sourceColumns.indices.filter {
      if case .computed = sourceColumns[$0] { true } else { false }
    }
    return Set(computed).subtracting(used)
  }
}
