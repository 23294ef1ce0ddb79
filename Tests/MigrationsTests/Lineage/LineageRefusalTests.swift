import Migrations
import StoreModel
import TestSupport
import Testing

/// Migration files that would lose or break something are refused before a row is read.
@Suite struct LineageRefusalTests {
  private func error(_ steps: [Step], from: String = "V6", to: String = "V7") throws
    -> LineageError?
  {
    let catalog = Catalog.bundled
    let source = try #require(catalog.version(from, of: "Lume"))
    let target = try #require(catalog.version(to, of: "Lume"))
    let bundled = try #require(
      catalog.migrations.first { $0.app == "Lume" && $0.name == "\(from)-\(to)" })
    let replaced = Set(steps.map(\.object))
    let all = bundled.steps.filter { !replaced.contains($0.object) } + steps
    let migration = Migration(app: "Lume", from: from, to: to, steps: all)
    do throws(LineageError) {
      _ = try Lineage(identityOf: source.model)
        .applying(migration, source: source.model, target: target.model)
      return nil
    } catch {
      if case .inStep(let number, let inner) = error {
        #expect((1...all.count).contains(number) && "\(error)".contains(", step \(number): "))
        return inner
      }
      return error
    }
  }

  private func path(_ property: String) -> PropertyPath {
    PropertyPath(entity: "SDOutboxEvent", property: property)
  }

  @Test func `the bundled steps are taken`() throws {
    #expect(try error([]) == nil)
  }

  @Test func `a text isn't put where an id is expected`() throws {
    let step = Step.backfill(path("entityID"), from: .attribute("eventType", nil), where: nil)
    #expect(
      try error([step])
        == .typeChange(path("entityID"), from: "String", to: "UUID", in: "V6-V7"))
  }

  @Test func `a converter reads only what it can`() throws {
    let step = Step.convert(
      Conversion(
        entity: "SDOutboxEvent", inputs: ["payload"], outputs: ["metadata"], converter: .moodValue))
    #expect(
      try error([step])
        == .wrongInput(path("payload"), type: "Binary", converter: "mood-value", in: "V6-V7"))
  }

  @Test func `what is there isn't overwritten`() throws {
    let backfill = Step.backfill(path("status"), from: .attribute("eventType", nil), where: nil)
    #expect(try error([backfill]) == .exists("SDOutboxEvent.status", in: "V6-V7"))
    let merge = Step.merge([path("status")], to: path("errorMessage"))
    #expect(try error([merge]) == .exists("SDOutboxEvent.errorMessage", in: "V6-V7"))
  }

  @Test func `two attributes of one row aren't made one`() throws {
    let merge = Step.merge([path("errorMessage"), path("status")], to: path("eventType"))
    #expect(try error([merge]) == .mergedTwice(path("eventType"), in: "V6-V7"))
  }

  @Test func `links don't follow an entity that was dropped and added under another name`() throws {
    let catalog = Catalog.bundled
    let source = try #require(catalog.version("V10", of: "FitIQ")).model
    let target = try #require(catalog.version("V11", of: "FitIQ")).model
    let migration = Migration(
      app: "FitIQ", from: "V10", to: "V11",
      steps: [
        .addEntity("SDWorkoutTemplate"), .addEntity("SDTemplateExercise"),
        .dropEntity("SDUserProfileV10"), .addEntity("SDUserProfileV11"),
      ])
    let error = #expect(throws: LineageError.self) {
      try Lineage(identityOf: source).applying(migration, source: source, target: target)
    }
    guard case .retargeted = error else {
      Issue.record("\(error as Any)")
      return
    }
  }
}
