import Foundation
import TestSupport
import Testing

@testable import outbox_migrate
import OutboxConversion
import StoreProof

@Suite struct BrowserTests {
  @Test func `a browser shows the page as it is meant`() throws {
    let folder = try TemporaryDirectory()
    let store = folder.path("default.store")
    _ = try output(of: ["fixture", "create", "lume", "V6", store, "--rows", "40"])
    let page = folder.path("plan.html")
    try output(of: ["plan", store, "--format", "html"])
      .write(toFile: page, atomically: true, encoding: .utf8)
    guard let (document, log) = try browse(page, ["--dump-dom"], in: folder) else { return }
    // The script has run, so that the policy has its hash; a refusal would be on the console.
    #expect(document.contains(#"data-script="on""#))
    #expect(!log.contains("CONSOLE"), "\(log)")
    #expect(document.contains("SDOutboxEvent.payload"))

    let picture = folder.path("plan.png")
    _ = try browse(
      page, ["--screenshot=\(picture)", "--window-size=1280,1600"], in: folder)
    let bytes = try Data(contentsOf: URL(filePath: picture))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    // A blank page of this size has some 10 KB.
    #expect(bytes.count > 40_000)
  }

  /// Writes what the page looks like into the attributes of its outermost element.
  private static let measuring = """
    <script>
      const all = (query) => [...document.querySelectorAll(query)];
      const isShown = (part) => part.getClientRects().length > 0;
      const facts = document.documentElement.dataset;
      for (const fold of all("details")) fold.open = true;
      // Open, no cell is narrower than its text, and nothing is wider than its section.
      facts.cut = all("section").filter((part) => part.scrollWidth > part.clientWidth).length
        + all(".scroll").filter((part) => part.scrollWidth > part.clientWidth).length;
      facts.broken = all("details td code").filter((part) => part.getClientRects().length > 1).length;
      facts.types = all("details td code").length;
      facts.pictures = all("svg.picture").filter(isShown).length;
      const find = (words) => {
        document.querySelector("#find").value = words;
        document.querySelector("#find").dispatchEvent(new Event("input"));
        return all("section h2").filter(isShown).length;
      };
      facts.headings = find("");
      facts.hits = find("payload");
      facts.misses = find("no such thing");
      facts.found = document.querySelector("#found").textContent;
    </script>
    """

  @Test(arguments: [500, 1_000, 1_600])
  func `a page of any width shows all of it, and a search only what it finds`(width: Int) throws {
    let folder = try TemporaryDirectory()
    let store = folder.path("default.store")
    _ = try output(of: ["fixture", "create", "lume", "V6", store, "--rows", "400"])
    let page = folder.path("plan.html")
    let policy = /<meta http-equiv="Content-Security-Policy"[^>]*>/
    let text = try output(of: ["plan", store, "--format", "html"])
    try #require(text.contains(policy))
    try text.replacing(policy, with: "").replacing("</body>", with: Self.measuring + "</body>")
      .write(toFile: page, atomically: true, encoding: .utf8)
    let options = ["--dump-dom", "--window-size=\(width),1000"]
    guard let (document, _) = try browse(page, options, in: folder) else { return }
    func fact(_ name: String) -> String? {
      document.firstMatch(of: try! Regex("data-\(name)=\"([^\"]*)\""))?.output[1].substring
        .map(String.init)
    }
    #expect(fact("cut") == "0")
    #expect(fact("broken") == "0")
    #expect(fact("types").flatMap(Int.init) ?? 0 > 10)
    #expect(fact("pictures") == "1")
    #expect(fact("headings").flatMap(Int.init) ?? 0 >= 5)
    #expect(fact("hits") == "2", "the steps and the examples name the payload")
    #expect(fact("misses") == "0")
    #expect(fact("found") == "nothing found")
  }

  /// Runs a headless browser; `nil`, after a printed note, if Chromium isn't installed.
  func browse(
    _ page: String, _ options: [String], in folder: TemporaryDirectory
  ) throws -> (output: String, log: String)? {
    let candidates = ["chromium", "chromium-browser", "google-chrome"].map { "/usr/bin/\($0)" }
    guard let file = candidates.first(where: FileManager.default.isExecutableFile) else {
      print("skipped: Chromium isn't installed; the page isn't checked")
      return nil
    }
    let process = Process()
    let (sink, log) = (Pipe(), folder.path("browser.log"))
    _ = FileManager.default.createFile(atPath: log, contents: nil)
    process.executableURL = URL(filePath: file)
    process.arguments =
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
        "--enable-logging=stderr", "--user-data-dir=\(folder.path("browser"))",
        // Without a network the browser would wait for one.
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
      ] + options + ["file://\(page)"]
    process.standardOutput = sink
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.start()
    let bytes = try sink.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      String(decoding: bytes, as: UTF8.self), try String(contentsOfFile: log, encoding: .utf8)
    )
  }
}
