import Foundation
import Platform
import StoreModel
import SwiftModels
import TestSupport
import Testing

/// Declarations of public apps, whose stores give the hashes of their entities.
@Suite struct VectorTests {
  private struct Vector: Decodable {
    struct Property: Decodable {
      let name: String
      let type: String
      let attributes: [String]
    }

    struct ValueType: Decodable {
      let kind: String
      let raw: [String]?
      let cases: [[String]]?
      let properties: [[String]]?
    }

    let store: String?
    let entity: String?
    let hash: String?
    let macros: [String]?
    let properties: [Property]?
    let types: [String: ValueType]?
  }

  /// The vectors; empty, after a printed note, if the file is missing.
  private static let vectors: [Vector] = {
    let path = publicModels + "/swiftdata-vectors.json"
    guard let data = FileManager.default.contents(atPath: path) else {
      print("skipped: there are no models in '\(publicModels)'; set OUTBOX_MIGRATE_MODELS")
      return []
    }
    do {
      return try JSONDecoder().decode([Vector].self, from: data)
    } catch {
      fatalError("\(path): \(error)")
    }
  }()

  /// The types that the vectors name without saying what they are, or that they cut short.
  private static let more = """
    enum Rating: String, Codable { case good }
    struct Instruction: Codable { var text: String }
    enum Booze: String, Codable { case gin }
    enum NAIngredients: String, Codable { case soda }
    enum HistoricSpec: Codable {
      case algonquin, alaska, betweenTheSheets, bloodAndSand, bramble, bobbyBurns
      case chocolateCocktail, elDiablo, fogCutter, ginFizz, gimlet, silverFizz, hotToddy
      case mexicanFiringSquad, modernCocktail
    }
    """

  private static func text(_ vector: Vector) -> String {
    let macros = (vector.macros ?? []).map { "  \($0)\n" }.joined()
    let properties = (vector.properties ?? []).map { property in
      "  \((property.attributes + ["var"]).joined(separator: " ")) \(property.name): \(property.type)\n"
    }.joined()
    return "@Model final class \(vector.entity ?? "") {\n\(macros)\(properties)}\n"
  }

  private static func text(_ name: String, _ type: Vector.ValueType) -> String {
    let inherited = ((type.raw ?? []) + ["Codable"]).joined(separator: ", ")
    let members =
      (type.cases ?? []).map { "  case \($0[0])\($0[1])\n" }
      + (type.properties ?? []).map { "  var \($0[0]): \($0[1])\n" }
    return "\(type.kind) \(name): \(inherited) {\n\(members.joined())}\n"
  }

  @Test func `declarations of real apps give the hashes of their stores`() throws {
    guard parserProgram != nil else { return }
    // Entities without a store stand alone.
    let groups = Dictionary(grouping: Self.vectors.enumerated()) { $1.store ?? "\($0)" }
    var compared = 0
    for (store, vectors) in groups.sorted(by: { $0.key < $1.key }) {
      let entities = vectors.map(\.element).filter { $0.entity != nil }
      let types = vectors.flatMap { $0.element.types ?? [:] }
        .filter { !Self.more.contains(" \($0.key):") }
      let text =
        "import SwiftData\n" + entities.map { Self.text($0) }.joined()
        + types.map { Self.text($0.key, $0.value) }.joined()
      let source = try #require(try parsed(text, Self.more))
      let model = try source.model(.newest).model
      #expect(model.lines(.error, .unproven) == [], "\(store)")
      let hashes = VersionHashes(model.model).entities
      for vector in entities {
        let name = try #require(vector.entity)
        #expect(hashes[name].map { Hexadecimal.encode($0) } == vector.hash, "\(store): \(name)")
        compared += 1
      }
    }
    if !Self.vectors.isEmpty { #expect(compared == 10) }
  }
}
