import Platform
import PropertyList
import StoreModel
import TestSupport
import XMLText

@testable import ModelSource
@testable import StoreFormat
@testable import StoreMigration
import Migrations
import OutboxConversion
import StoreProof

extension FuzzTarget {
  /// Property lists: binary ones, such as a store's metadata, and ones in XML.
  static let list = FuzzTarget(
    name: "list",
    seeds: {
      let metadata = StoreMetadata(uuid: "A", model: .animals, frameworkVersion: 1)
      let every = PropertyList.array([
        .boolean(true), .integer(-1), .integer(1 << 40), .unsigned(.max), .real(0.5), .float(2),
        .date(1), .data([1, 2, 3]), .string("a"), .string("é"), .uid(3), .set([.null]),
        .dictionary(["k": .array([])]),
      ])
      let text =
        "<plist><dict><key>a</key><array><real>1</real><data>AA==</data></array></dict></plist>"
      return [metadata.plist, every.binary(), Array(text.utf8)]
    }
  ) { bytes in
    let isXML = bytes.first == UInt8(ascii: "<")
    guard let list = isXML ? try? PropertyList(xml: bytes) : try? PropertyList(binary: bytes) else {
      return nil
    }
    let written = list.binary()
    guard let again = try? PropertyList(binary: written) else { return "it can't be read again" }
    // NaN isn't equal to itself, so the bytes are compared.
    return again.binary() == written ? nil : "reading and writing changes it"
  }

  /// Archived models, without their compression.
  static let archive = FuzzTarget(
    name: "archive", seeds: { [try KeyedArchive(.animals).propertyList.binary()] }
  ) { bytes in
    guard let list = try? PropertyList(binary: bytes, budget: 1_000_000),
      let archive = try? KeyedArchive(list), let model = try? Model(archive)
    else { return nil }
    return problem(of: model)
  }

  /// What stands in `Z_MODELCACHE`.
  static let cache = FuzzTarget(name: "cache", seeds: { [try ModelCache.encode(.animals)] }) {
    bytes in
    guard let model = try? ModelCache.decode(bytes) else { return nil }
    return problem(of: model)
  }

  /// The XML of models in source.
  static let source = FuzzTarget(
    name: "source",
    seeds: {
      [
        Array(
          """
          <?xml version="1.0" encoding="UTF-8"?>
          <model userDefinedModelVersionIdentifier="1">
            <entity name="A" isAbstract="YES"><attribute name="id" attributeType="UUID"/>
              <relationship name="bs" toMany="YES" maxCount="3" ordered="YES" destinationEntity="B"
                inverseName="a" deletionRule="Cascade"/>
              <fetchIndex name="i"><fetchIndexElement property="id" order="descending"/></fetchIndex>
              <uniquenessConstraints><uniquenessConstraint><constraint value="id"/>
              </uniquenessConstraint></uniquenessConstraints></entity>
            <entity name="B" parentEntity="A" elementID="C" versionHashModifier="2">
              <attribute name="place" attributeType="Composite" composite="Place" optional="YES"/>
              <attribute name="n" attributeType="Integer 16" defaultValueString="1" indexed="YES"/>
              <relationship name="a" destinationEntity="A" inverseName="bs"/>
              <userInfo><entry key="k" value="&amp;"/></userInfo></entity>
            <composite name="Place"><attribute name="x" attributeType="Double"/></composite>
            <configuration name="Cloud"><memberEntity name="A"/></configuration>
          </model>
          """.utf8)
      ]
    }
  ) { bytes in
    var reader = XMLModelReader(file: "f")
    return (try? reader.model(bytes)).flatMap { problem(of: $0) }
  }

  /// A model that strangers wrote can be laid out, hashed, told and written again, or is refused.
  static func problem(of model: Model) -> String? {
    _ = VersionHashes(model)
    let layout = StoreLayout(model)
    _ = layout.tables.map(\.createStatement) + layout.joinTables.map(\.createStatement)
    _ = layout.indexes.map(\.createStatement)
    let text = SchemaFile(app: "App", version: "V1", model: model).text
    _ = try? SchemaFile(parsing: Array(text.utf8), file: nil)
    guard let written = try? KeyedArchive(model) else { return nil }
    guard let again = try? Model(written) else { return "its archive can't be read" }
    // An archive repeats inherited properties, so it can't say that an entity declares one again.
    return again.entities == model.entities || model.declaresTwice ? nil : "archiving changes it"
  }
}

extension Model {
  /// Whether an entity declares a property that it inherits.
  fileprivate var declaresTwice: Bool {
    entities.contains { entity in
      let inherited = entity.superentityName.map { properties(of: $0).map(\.name) } ?? []
      return !Set(inherited).isDisjoint(with: entity.properties.map(\.name))
    }
  }
}
