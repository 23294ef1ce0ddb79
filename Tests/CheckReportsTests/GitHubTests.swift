import CheckReports
import Testing

struct GitHubTests {
  @Test func `a finding is one command with its position`() {
    let finding = CheckFinding(
      rule: "one-way", level: .note, path: "a,b:c.json", line: 3, column: 5, object: "Entry",
      message: "50% of the\nrows::error::x")
    #expect(
      GitHubAnnotations([finding]).lines == [
        #"::notice file=a%2Cb%3Ac.json,line=3,col=5,title=one-way::Entry: 50%25 of the\nrows::error::x"#
      ])
  }

  @Test func `what failed in a suite is an error about its path`() {
    let suite = CheckSuite(
      path: "a.store",
      [
        .init("tables", .passed), .init("rows", .failed(["one", "two"])),
        .init("keys", .failed([])), .init("readable", .error("damaged")),
      ])
    #expect(
      GitHubAnnotations(suite.findings).lines == [
        "::error file=a.store,title=rows::one", "::error file=a.store,title=rows::two",
        "::error file=a.store,title=keys::the check failed",
        "::error file=a.store,title=readable::damaged",
      ])
  }
}
