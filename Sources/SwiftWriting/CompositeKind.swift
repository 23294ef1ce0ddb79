import StoreModel

/// The Swift type from which SwiftData makes a composite attribute.
enum CompositeKind: Hashable {
  /// An enum with raw values, whose cases the model doesn't have.
  case rawEnum

  /// An enum without raw values, with an element for each case.
  case caseEnum

  /// `SwiftUI.Color.Resolved`.
  case resolvedColor

  /// A `Codable` struct with an element for each stored property.
  case structure

  init(_ attribute: Attribute) {
    let names = attribute.elements.map(\.name)
    let isEnum = attribute.userInfo["EnumType"] == .boolean(true)
    let areOptional = attribute.elements.allSatisfy(\.isOptional)
    self =
      if isEnum, areOptional, !names.isEmpty,
        attribute.userInfo["enum"] == .array(names.map { .string($0) })
      {
        .caseEnum
      } else if isEnum, areOptional, names == [attribute.name],
        Self.rawTypes.contains(attribute.elements[0].type)
      {
        .rawEnum
      } else if names.sorted() == Self.colorElements,
        attribute.elements.allSatisfy({ $0.type == .float && !$0.isOptional })
      {
        .resolvedColor
      } else {
        .structure
      }
  }

  private static let rawTypes: Set<AttributeType> = [
    .integer16, .integer32, .integer64, .double, .float, .string,
  ]

  private static let colorElements = ["linearBlue", "linearGreen", "linearRed", "opacity"]
}
