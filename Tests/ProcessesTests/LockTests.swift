import Platform
import Processes
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite struct LockTests {
  @Test(arguments: [
    ("BEGIN IMMEDIATE;", [Holder.Use.writes, .reads, .isOpen]),
    ("BEGIN EXCLUSIVE;", [.writes, .reads, .isOpen]),
    ("BEGIN; SELECT count(*) FROM t;", [.reads, .isOpen]),
    ("SELECT count(*) FROM t;", [.isOpen]),
    ("PRAGMA journal_mode=WAL; SELECT count(*) FROM t;", [.reads, .sharesMemory, .isOpen]),
    (
      "PRAGMA journal_mode=WAL; BEGIN IMMEDIATE; INSERT INTO t VALUES(1);",
      [.reads, .sharesMemory, .isOpen]
    ),
  ])
  func `a process that uses a store is named`(script: String, uses: [Holder.Use]) throws {
    ProcessSearch.use(.system)
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    guard let child = ChildProcess("sqlite3", [path]) else {
      print("skipped: no sqlite3 here")
      return
    }
    child.say("CREATE TABLE t(a); SELECT 'made';", until: "made\n")
    // A new process has this process's descriptors until it executes its program.
    func holders() throws -> [Holder] {
      try whileNothingStarts { try lockHolders(of: path).filter { $0.command == "sqlite3" } }
    }
    #expect(try holders().map(\.uses) == [[.isOpen]])
    child.say(script + " SELECT 'ready';", until: "ready\n")
    let found = try holders()
    #expect(found.map(\.processID) == [child.processID])
    #expect(found.map(\.uses) == [uses])
    #expect(found.first?.description.hasPrefix("sqlite3 (process \(child.processID)) ") == true)
    child.finish()
    #expect(try holders() == [])
  }

  @Test func `a process is named by what it has open, under whatever name`() throws {
    let directory = try TemporaryDirectory()
    try FileSystem.create(directory.path("a"), [1])
    guard
      let child = ChildProcess(
        "/bin/sh",
        [
          "-c", "exec 3<\"$1\"; echo ready; read line", "sh",
          directory.path("a"),
        ])
    else {
      print("skipped: no shell here")
      return
    }
    child.hear("ready\n")
    let file = try FileDescriptor(opening: directory.path("a"))
    let identity = try file.status().identity
    try FileSystem.rename(directory.path("a"), to: directory.path("b"))
    try FileSystem.remove(directory.path("b"))
    // A new process has this process's descriptors until it executes its program.
    func users() -> Set<Int32> { whileNothingStarts { Set(processes(thatHaveOpen: [identity])) } }
    #expect(users() == [processID, child.processID])
    child.finish()
    #expect(users() == [processID])
  }

  @Test func `a probe made before a lock keeps it, one made after drops it when it goes`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("a.db")
    guard ChildProcess.run("sqlite3", [path, "CREATE TABLE t(a)"]) == 0 else {
      print("skipped: no sqlite3 here")
      return
    }
    let number = open(path, O_RDWR | O_CLOEXEC)
    defer { close(number) }
    let early = try LockProbe(of: path)
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    (lock.l_start, lock.l_len) = (0x4000_0000, 512)
    #expect(fcntl(number, F_SETLK, &lock) == 0)
    let holders = try early.holders()
    #expect(holders == [])
    #expect(ChildProcess.run("sqlite3", [path, "BEGIN EXCLUSIVE"]) != 0)
    do {
      let late = try LockProbe(of: path)
      #expect(late.identities.count == 1)
      #expect(ChildProcess.run("sqlite3", [path, "BEGIN EXCLUSIVE"]) != 0)
    }
    // This is the effect that the documentation of `FileDescriptor` warns of.
    #expect(ChildProcess.run("sqlite3", [path, "BEGIN EXCLUSIVE"]) == 0)
  }

  @Test func `a description says what a process does, in order`() {
    let holder = Holder(processID: 7, command: "Lume", uses: [.isOpen, .writes])
    #expect(holder.description == "Lume (process 7) writes to it and has it open")
    let stranger = Holder(processID: -1, command: nil, uses: [.reads])
    #expect(stranger.description == "a process reads it")
  }

  @Test func `no file has no holders`() {
    let error = #expect(throws: SystemError.self) { try lockHolders(of: "/nowhere/a") }
    #expect(error?.description == "can't resolve '/nowhere/a': no such file or directory")
  }
}
