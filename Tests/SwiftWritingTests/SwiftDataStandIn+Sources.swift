extension SwiftDataStandIn {
  /// The files of the modules, by name.
  static let sources = [
    "Macros.swift": """
    import SwiftSyntax
    import SwiftSyntaxMacros

    public struct ModelMacro: ExtensionMacro {
      public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
      ) throws -> [ExtensionDeclSyntax] {
        // A subclass of a model class conforms already.
        if protocols.isEmpty { return [] }
        let text: DeclSyntax = "extension \\(type.trimmed): SwiftData.PersistentModel {}"
        return [text.cast(ExtensionDeclSyntax.self)]
      }
    }

    public struct EmptyMacro: PeerMacro, DeclarationMacro {
      public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
      ) throws -> [DeclSyntax] { [] }

      public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
      ) throws -> [DeclSyntax] { [] }
    }
    """,
    "SwiftUI.swift": """
    public struct Color { public struct Resolved: Codable, Hashable, Sendable {} }
    """,
    "SwiftData.swift": swiftData + macros,
  ]

  private static let swiftData = """
    import Foundation

    public protocol PersistentModel: AnyObject, Hashable, Identifiable {}
    extension PersistentModel {
      public static func == (left: Self, right: Self) -> Bool { left === right }
      public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
      public var id: PersistentIdentifier { PersistentIdentifier() }
    }
    public struct PersistentIdentifier: Hashable, Sendable {}
    public protocol VersionedSchema {
      static var models: [any PersistentModel.Type] { get }
      static var versionIdentifier: Schema.Version { get }
    }
    public protocol SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { get }
      static var stages: [MigrationStage] { get }
    }
    public enum MigrationStage {
      case lightweight(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
      case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
    }
    public final class ModelContext {
      public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] { [] }
      public func save() throws {}
    }
    public struct FetchDescriptor<T: PersistentModel> { public init() {} }
    public final class Schema {
      public struct Version: Hashable, Sendable {
        public init(_ major: Int, _ minor: Int, _ patch: Int) {}
      }
      public final class Attribute {
        public struct Option: Sendable {
          public static var unique: Option { Option() }
          public static var externalStorage: Option { Option() }
          public static var ephemeral: Option { Option() }
          public static var preserveValueOnDeletion: Option { Option() }
          public static func transformable(by transformerName: String) -> Option { Option() }
        }
      }
      public final class Relationship {
        public struct Option: Sendable {}
        public enum DeleteRule: Sendable { case noAction, nullify, cascade, deny }
      }
      public final class Index<T: PersistentModel> {
        public enum Types<M: PersistentModel> {
          case binary([PartialKeyPath<M>])
          case rtree([PartialKeyPath<M>])
        }
      }
    }

    """

  private static let macros = """
    @attached(extension, conformances: PersistentModel)
    public macro Model() = #externalMacro(module: "SwiftDataMacros", type: "ModelMacro")
    @attached(peer)
    public macro Attribute(
      _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
    ) = #externalMacro(module: "SwiftDataMacros", type: "EmptyMacro")
    @attached(peer)
    public macro Relationship(
      _ options: Schema.Relationship.Option...,
      deleteRule: Schema.Relationship.DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) = #externalMacro(module: "SwiftDataMacros", type: "EmptyMacro")
    @freestanding(declaration)
    public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
      #externalMacro(module: "SwiftDataMacros", type: "EmptyMacro")
    @freestanding(declaration)
    public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
      #externalMacro(module: "SwiftDataMacros", type: "EmptyMacro")
    @freestanding(declaration)
    public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
      #externalMacro(module: "SwiftDataMacros", type: "EmptyMacro")
    """
}
