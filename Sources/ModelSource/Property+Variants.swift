import StoreModel

extension Property {
  /// Whether the property is an attribute.
  var isAttribute: Bool { if case .attribute = self { true } else { false } }

  /// The names that the property may have in a store: earlier ones, and the usual mistakes.
  var otherNames: [String] {
    var names = [renamingIdentifier].compactMap(\.self)
    names += name.hasSuffix("s") ? [String(name.dropLast())] : [name + "s"]
    names += name.hasPrefix("_") ? [String(name.dropFirst())] : ["_" + name]
    if name.hasPrefix("is"), let first = name.dropFirst(2).first {
      names.append(first.lowercased() + name.dropFirst(3))
    } else if let first = name.first {
      names.append("is" + first.uppercased() + name.dropFirst())
    }
    names += [
      name.lowercased(), name.replacing("ID", with: "Id"), name.replacing("Id", with: "ID"),
    ]
    return Set(names.filter { $0 != name && !$0.isEmpty }).sorted()
  }

  /// Returns the property with another name.
  func called(_ name: String) -> Property {
    switch self {
    case .attribute(let attribute): .attribute(attribute.changed(name: name))
    case .relationship(let relationship): .relationship(relationship.changed(name: name))
    case .fetched: .fetched(name: name)
    }
  }

  /// Returns the property with each single change that its hash covers.
  func variants(in model: Model, owner: String) -> [Property] {
    switch self {
    case .attribute(let attribute): attribute.variants(in: model).map { .attribute($0) }
    case .relationship(let relationship):
      relationship.variants(in: model, owner: owner).map { .relationship($0) }
    case .fetched: []
    }
  }
}

extension Attribute {
  func changed(name: String? = nil, type: AttributeType? = nil, elements: [Attribute]? = nil)
    -> Attribute
  {
    Attribute(
      name: name ?? self.name, type: type ?? self.type, isOptional: isOptional,
      isTransient: isTransient, isReadOnly: isReadOnly,
      allowsExternalStorage: allowsExternalStorage,
      isPreservedAfterDeletion: isPreservedAfterDeletion, elements: elements ?? self.elements,
      versionHashModifier: versionHashModifier)
  }

  fileprivate func variants(in model: Model) -> [Attribute] {
    if type == .composite {
      return elements.indices.flatMap { place in
        elements[place].variants(in: model).map { changed in
          var all = elements
          all[place] = changed
          return self.changed(elements: all)
        }
      }
    }
    var variants: [Attribute] = []
    func add(_ change: (inout Attribute) -> Void) {
      var changed = self
      change(&changed)
      variants.append(changed)
    }
    add { $0.isOptional.toggle() }
    for type in AttributeType.allCases where type != .composite && type != self.type {
      variants.append(changed(type: type))
    }
    if isTransient { add { $0.isTransient = false } }
    add { $0.allowsExternalStorage.toggle() }
    add { $0.isPreservedAfterDeletion.toggle() }
    add { $0.isReadOnly.toggle() }
    for text in [nil] + model.hashModifiers { add { $0.versionHashModifier = text } }
    return variants
  }
}

extension Relationship {
  func changed(
    name: String? = nil, to destination: String? = nil, count: (max: Int, min: Int)? = nil
  ) -> Relationship {
    Relationship(
      name: name ?? self.name, destinationName: destination ?? destinationName,
      inverseName: inverseName, maxCount: count?.max ?? maxCount, minCount: count?.min ?? minCount,
      deleteRule: deleteRule, isOrdered: isOrdered, isOptional: isOptional,
      isTransient: isTransient, versionHashModifier: versionHashModifier)
  }

  fileprivate func variants(in model: Model, owner: String) -> [Relationship] {
    var variants: [Relationship] = []
    func add(_ change: (inout Relationship) -> Void) {
      var changed = self
      change(&changed)
      variants.append(changed)
    }
    add { $0.isOptional.toggle() }
    add { $0.isOrdered.toggle() }
    if isTransient { add { $0.isTransient = false } }
    for count in Set([0, 1, -1, minCount]) where count != maxCount {
      add { $0.maxCount = count }
    }
    for count in 0...2 where count != minCount { add { $0.minCount = count } }
    if maxCount != 1 || minCount != 1 { variants.append(changed(count: (1, 1))) }
    add { $0.inverseName = nil }
    // Any relationship that leads back may be the inverse.
    for relationship in model[destinationName]?.relationships ?? []
    where model.inherits(owner, from: relationship.destinationName) {
      add { $0.inverseName = relationship.name }
    }
    for entity in model.entities where entity.name != destinationName {
      variants.append(changed(to: entity.name))
    }
    for text in [nil] + model.hashModifiers { add { $0.versionHashModifier = text } }
    return variants
  }
}
