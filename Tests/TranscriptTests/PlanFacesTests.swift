import Foundation
import TestSupport
import Testing

@testable import outbox_migrate
import Migrations
import StoreProof

@Suite struct PlanFacesTests {
  /// A store with invented rows, and the folder that keeps it.
  private func makeStore(
    _ app: String, _ version: String, in folder: TemporaryDirectory
  ) throws -> String {
    let seed = printedSeed("\(app) \(version)", below: 10_000)
    let path = folder.path("default.store")
    _ = try output(
      of: ["fixture", "create", app, version, path, "--rows", "90", "--seed", "\(seed)"])
    return path
  }

  @Test(
    arguments: [
      ("lume", "V6"), ("lume", "V1"), ("lume", "V7@additive"), ("fitiq", "V5"), ("fitiq", "V9"),
      ("fitiq", "V1"),
    ] as [(String, String)])
  func `the four faces of a plan say the same`(app: String, version: String) throws {
    let folder = try TemporaryDirectory()
    let faces = try PlanFaces(of: try makeStore(app, version, in: folder))
    let facts = try PlanFacts(json: faces.json)
    #expect(!facts.steps.isEmpty)
    let (text, markdown, html) = (
      try PlanFacts(text: faces.text), PlanFacts(markdown: faces.markdown),
      PlanFacts(html: faces.html)
    )
    let short = facts.forTerminals
    #expect(text.difference(from: short) == [])
    #expect(markdown.difference(from: facts) == [])
    #expect(html.difference(from: facts) == [])
  }

  @Test func `every face says what becomes of an outbox that the app is to send`() throws {
    let folder = try TemporaryDirectory()
    let store = folder.path("default.store")
    _ = try output(of: ["fixture", "create", "lume", "V6", store, "--rows", "150", "--seed", "3"])
    let faces = try PlanFaces(of: store, options: ["--rows", "deliverable"])
    for face in [faces.text, faces.markdown, faces.html] {
      for words in [
        "Outbox, in the form that the app sends", "57 to send", "2 account", "3 only-copy",
        "together with rows that undo them", "into other rows that send the same",
      ] {
        #expect(face.contains(words), "\(words)")
      }
    }
    #expect(!(try PlanFaces(of: store)).html.contains("Outbox, in the form"))
  }

  @Test func `a plan without changes has four faces too`() throws {
    let folder = try TemporaryDirectory()
    let faces = try PlanFaces(of: try makeStore("lume", "V7", in: folder))
    #expect(faces.text.contains("No changes"))
    #expect(faces.json.contains(#""changes": false"#))
    #expect(faces.markdown.contains("### Lume V7\n\nNo changes"))
    #expect(faces.html.contains("No changes: the store is already at V7."))
  }

  @Test func `nothing in a page comes from elsewhere`() throws {
    let folder = try TemporaryDirectory()
    let html = try PlanFaces(of: try makeStore("fitiq", "V5", in: folder)).html
    #expect(!html.contains("://"))
    #expect(!html.contains("url("))
    #expect(!html.contains("@import"))
    #expect(!html.contains(/\ (src|href|style|on[a-z]+)=/))
    #expect(html.contains("default-src 'none'") || html.contains("default-src &#39;none&#39;"))
    #expect(html.matches(of: /<script/).count == 1)
  }
}
