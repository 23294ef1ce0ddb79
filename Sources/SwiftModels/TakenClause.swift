import SourceDeclarations

/// A decision about the clauses of `#if`, which a finding reports if it decides about a model.
struct TakenClause: Hashable {
  /// The position of the first clause.
  let position: SwiftPosition

  /// What is read, as a sentence.
  let message: String

  /// Whether the condition is known.
  let isKnown: Bool

  /// Creates the sentence about a decision.
  ///
  /// - Parameters:
  ///   - position: The position of the first clause.
  ///   - conditions: The conditions of the clauses.
  ///   - taken: The word of the clause that is compiled; `nil` if all conditions are false.
  ///   - subject: What the clauses have, in the plural.
  fileprivate init(
    at position: SwiftPosition, _ conditions: [SwiftExpression], taken: String?, _ subject: String
  ) {
    self.position = position
    let read = taken.map { "the \(subject) after '#\($0)' are read" } ?? "nothing of it is read"
    let conditions = conditions.map { BuildCondition($0) }
    isKnown = conditions.allSatisfy(\.isKnown)
    let doubt = conditions.first { !$0.isKnown }?.doubt ?? ""
    message =
      "'#if \(conditions.first?.text ?? "")' decides about the model: \(read), as for an iOS app built "
      + "for release" + doubt
  }

  /// The finding about the decision.
  func finding(in type: SourceType) -> SourceFinding {
    SourceFinding(
      isKnown ? .note : .unproven, .condition, at: type.place(of: position), type.name, message)
  }
}

extension [SwiftDeclaration] {
  /// Replaces the clauses of `#if` by the declarations of those that are compiled.
  ///
  /// Each declaration from a clause comes with the decisions that led to it.
  func compiled(_ decided: [TakenClause] = []) -> [(declaration: Element, clauses: [TakenClause])] {
    var result: [(Element, [TakenClause])] = []
    for position in indices {
      var declaration = self[position]
      if declaration.kind != .clause {
        let decisions = declaration.attributes.flatMap(\.decisions)
        declaration.attributes = declaration.attributes.flatMap(\.compiled)
        result.append((declaration, decided + decisions))
      } else if declaration.name == "if", let taken = taken(from: position) {
        result += self[taken].members.compiled(decided + [decision(from: position)])
      }
    }
    return result
  }

  /// The decisions about stored properties, cases and macros among the declarations.
  var decisions: [TakenClause] {
    var result: [TakenClause] = []
    for position in indices {
      if self[position].kind != .clause {
        guard self[position].countsInModels else { continue }
        result += self[position].attributes.flatMap(\.decisions)
      } else if self[position].name == "if",
        clauses(from: position).contains(where: { $0.members.contains(where: \.countsInModels) })
      {
        result.append(decision(from: position))
        if let taken = taken(from: position) { result += self[taken].members.decisions }
      }
    }
    return result
  }

  /// The classes with `@Model` that aren't compiled, each with the condition of its `#if`.
  var leftOut: [(declaration: Element, condition: BuildCondition)] {
    var result: [(Element, BuildCondition)] = []
    for position in indices {
      guard self[position].kind == .clause else {
        result += self[position].members.leftOut
        continue
      }
      guard self[position].name == "if" else { continue }
      let taken = taken(from: position)
      let condition = BuildCondition(self[position].value ?? SwiftExpression(.other, ""))
      for other in clauses(from: position).indices {
        result +=
          other == taken
          ? self[other].members.leftOut : self[other].modelClasses.map { ($0, condition) }
      }
    }
    return result
  }

  /// Returns the clauses of the `#if` at a position.
  private func clauses(from position: Int) -> ArraySlice<Element> {
    let next = self[(position + 1)...].firstIndex { $0.kind != .clause || $0.name == "if" }
    return self[position..<(next ?? endIndex)]
  }

  /// Returns the position of the clause that is compiled, of the `#if` at a position.
  private func taken(from position: Int) -> Int? {
    clauses(from: position).firstIndex { $0.value.map { BuildCondition($0).holds } ?? true }
  }

  private func decision(from position: Int) -> TakenClause {
    TakenClause(
      at: self[position].position, clauses(from: position).compactMap(\.value),
      taken: taken(from: position).map { self[$0].name }, "declarations")
  }
}

extension SwiftDeclaration {
  /// Whether the declaration counts in the model of the type around it.
  fileprivate var countsInModels: Bool {
    switch kind {
    case .stored, .enumCase, .macro: true
    case .clause: members.contains(where: \.countsInModels)
    case .class, .struct, .enum, .actor, .protocol, .extension, .alias, .computed, .parameter,
      .failableInitializer, .coding:
      false
    }
  }

  /// The classes with `@Model` among the members, at any depth.
  fileprivate var modelClasses: [SwiftDeclaration] {
    members.flatMap { member in
      let isModel = member.kind == .class && member.attributes.contains(where: \.hasModel)
      return (isModel ? [member] : []) + member.modelClasses
    }
  }
}

extension SwiftAttribute {
  /// The clause of `#if` that is compiled, or `nil`.
  private var taken: Clause? {
    clauses.first { $0.condition.map { BuildCondition($0).holds } ?? true }
  }

  /// The attributes that are compiled.
  fileprivate var compiled: [SwiftAttribute] {
    clauses.isEmpty ? [self] : taken?.attributes.flatMap(\.compiled) ?? []
  }

  /// The decisions about clauses; the source of a model can import SwiftData.
  fileprivate var decisions: [TakenClause] {
    guard let first = clauses.first else { return [] }
    let isCertain = first.condition.map { BuildCondition($0).text } == "canImport(SwiftData)"
    let decision = TakenClause(
      at: position, clauses.compactMap(\.condition), taken: taken?.name, "attributes")
    return (isCertain ? [] : [decision]) + (taken?.attributes.flatMap(\.decisions) ?? [])
  }

  /// Whether the attribute, or one in its clauses, is `@Model`.
  fileprivate var hasModel: Bool {
    name == "Model" || name.hasSuffix(".Model")
      || clauses.contains { $0.attributes.contains(where: \.hasModel) }
  }
}
