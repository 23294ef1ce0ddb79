import Testing

@testable import StoreMigration
@testable import PlanWriting
import Migrations
import OutboxConversion
import StoreProof

@Suite struct PlanPictureTests {
  /// Every way from a bundled version to the newest that it can get to.
  private func routes() throws -> [Route] {
    let catalog = Catalog.bundled
    return try catalog.versions.map {
      try Route(from: $0, to: MigrationRequest(), catalog: catalog)
    }
  }

  private func picture(of route: Route) -> PlanPicture {
    PlanPicture(
      route.lineage.steps.map {
        PlannedStep(
          migration: $0.migration, verb: $0.step.verb, object: $0.step.object,
          newName: $0.step.newName, rows: 1, isReversible: $0.isReversible)
      })
  }

  @Test func `entities come from where their rows come from`() throws {
    for route in try routes() {
      for entity in picture(of: route).entities {
        guard let after = entity.after else {
          #expect(route.lineage.entities[entity.before ?? ""] == nil)
          continue
        }
        #expect(route.lineage.entities[after]?.source == entity.before, "\(after)")
      }
    }
  }

  @Test func `properties come from where their values come from`() throws {
    var lines = 0
    for route in try routes() {
      let picture = picture(of: route)
      for entity in picture.entities {
        guard let lineage = entity.after.flatMap({ route.lineage.entities[$0] }) else { continue }
        for target in entity.targets {
          let origins = target.origin.sources.map {
            picture.entities[$0.entity].sources[$0.property]
          }
          lines += origins.count
          if let relationship = lineage.relationships[target.name] {
            #expect(origins.allSatisfy { $0 == relationship.source?.name }, "\(target.name)")
            continue
          }
          let cells = lineage.paths(of: target.name).compactMap { lineage.cells[$0]?.cells }
            .reduce(into: Set<String>()) { $0.formUnion($1) }
          let properties = Set(cells.map { String($0.prefix { $0 != "." }) })
          #expect(properties.isSuperset(of: origins), "\(target.name)")
          switch target.origin.change {
          case .renamed: #expect(properties == Set(origins))
          case .added: #expect(properties.isEmpty)
          case .moved, .converted, .filled: break
          }
        }
      }
    }
    #expect(lines > 50)
  }

  @Test func `what a property becomes is followed through several steps`() {
    func step(_ verb: String, _ object: String, _ newName: String? = nil) -> PlannedStep {
      PlannedStep(
        migration: "V1-V2", verb: verb, object: object, newName: newName, rows: 3,
        isReversible: verb != "drop")
    }
    let picture = PlanPicture([
      step("rename", "A.x", "y"), step("convert", "A.y", "z"), step("rename", "A", "B"),
      step("rename", "B.z", "end"), step("drop", "B.gone"), step("add", "B.new"),
      step("add", "C"), step("add", "C.ignored"), step("merge", "D.p, E.p", "F.p"),
      step("drop", "G"),
    ])
    let names = picture.entities.map { "\($0.before ?? "-") \($0.after ?? "-") \($0.rows)" }
    #expect(names == ["A B 3", "- C 3", "D D 0", "F F 3", "E E 0", "G - 3"])
    #expect(picture.entities[0].sources == ["x", "gone"])
    #expect(picture.entities[0].targets.map(\.name) == ["end", "new"])
    #expect(picture.entities[0].targets.map(\.origin.change) == [.converted, .added])
    #expect(picture.lost == [PlanPicture.PropertyIndex(entity: 0, property: 1)])
    #expect(picture.entities[3].targets.map(\.origin.sources.count) == [2])
  }
}
