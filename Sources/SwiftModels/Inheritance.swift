import SourceDeclarations
import StoreModel

/// What the first name is that a type inherits.
enum FirstInherited {
  /// A class in the source.
  case superclass(SourceType.Index)

  /// A protocol, or no name at all.
  case noSuperclass

  /// A name that is neither declared in the source nor that of a known protocol.
  case unknown(String)
}

extension TypeTable {
  /// Returns what the first name is that a type inherits.
  ///
  /// Only the first name can be a superclass, or the raw type of an enum.
  func firstInherited(of index: SourceType.Index) -> FirstInherited {
    let type = types[index]
    guard let first = type.declaration.inherited.first else { return .noSuperclass }
    return inherited(first.name, from: type.parent, file: type.file)
  }

  private func inherited(
    _ name: String, from scope: SourceType.Index?, file: String, depth: Int = 0
  ) -> FirstInherited {
    switch followed(find(name, from: scope, file: file)) {
    case .declared(let index):
      let found = types[index]
      switch found.declaration.kind {
      case .class: return .superclass(index)
      case .protocol: return .noSuperclass
      case .alias:
        // The parser keeps a composition such as 'Codable & Sendable' as text.
        let first = found.declaration.type?.name.split(separator: "&").first
        let target = first.map { String($0.filter { !$0.isWhitespace }) } ?? ""
        return depth < 16
          ? inherited(target, from: found.parent, file: found.file, depth: depth + 1)
          : .unknown(name)
      case .struct, .enum, .actor, .extension, .stored, .computed, .enumCase, .parameter,
        .failableInitializer, .coding, .macro, .clause:
        return .unknown(name)
      }
    case .ambiguous(let indices):
      return indices.allSatisfy { types[$0].declaration.kind == .protocol }
        ? .noSuperclass : .unknown(name)
    case .unknown: return SDKProtocol.isNamed(name) ? .noSuperclass : .unknown(name)
    }
  }

  /// Returns the nearest class with `@Model` that a class inherits from.
  ///
  /// - Returns: The class, or `nil` without such a class or if the superclasses form a cycle.
  func modelSuperclass(of index: SourceType.Index) -> SourceType.Index? {
    inheritsFromItself(index)
      ? nil : superclasses(of: index).first { types[$0].has("Model") }
  }

  /// The number of superclasses that are followed; the time for all classes is the product.
  static let mostSuperclasses = 64

  /// Returns whether the superclasses of a class form a cycle, or are too many.
  func inheritsFromItself(_ index: SourceType.Index) -> Bool {
    guard let last = superclasses(of: index).last,
      case .superclass = firstInherited(of: last)
    else {
      if case .superclass(index) = firstInherited(of: index) { return true }
      return false
    }
    return true
  }

  /// Returns the superclasses, nearest first, each once; at most 64.
  func superclasses(of index: SourceType.Index) -> [SourceType.Index] {
    var found: [SourceType.Index] = []
    var seen: Set = [index]
    var current = index
    while found.count < Self.mostSuperclasses,
      case .superclass(let parent) = firstInherited(of: current), seen.insert(parent).inserted
    {
      found.append(parent)
      current = parent
    }
    return found
  }

  /// Returns whether a class conforms to `PersistentModel` without the macro `@Model`.
  func isHandWritten(_ index: SourceType.Index) -> Bool {
    types[index].declaration.kind == .class && !types[index].has("Model")
      && conforms(index, to: "PersistentModel")
  }

  /// Returns whether a type, not a protocol, conforms to a protocol, which another may refine.
  func isType(_ index: SourceType.Index, conformingTo name: String) -> Bool {
    types[index].declaration.kind != .protocol && conforms(index, to: name)
  }

  private func conforms(_ index: SourceType.Index, to name: String, depth: Int = 0) -> Bool {
    let type = types[index]
    if type.inherits(name) { return true }
    return depth < 16
      && type.inherited.contains { inherited in
        guard
          case .declared(let found) = followed(
            find(inherited.name, from: type.parent, file: type.file)),
          types[found].declaration.kind == .protocol
        else { return false }
        return conforms(found, to: name, depth: depth + 1)
      }
  }
}
