#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  package import Darwin
#endif

/// A look at who else uses a SQLite database.
///
/// The probe opens the files when it is made and closes them when it goes, and closing drops the
/// locks that this process has on them (see ``FileDescriptor``): a process that locks the database
/// makes its probe before, and keeps it until after.
///
/// Related SQLite documentation: <https://www.sqlite.org/lockingv3.html>,
/// <https://www.sqlite.org/walformat.html#locks>
package struct LockProbe: ~Copyable {
  private let file: FileDescriptor
  private let sharedMemory: OptionalDescriptor

  /// The files in question: the main file, and those of its companions that there were.
  package let identities: Set<FileIdentity>

  /// Opens a database file and, where there is one, its `-shm`.
  package init(of path: String) throws(SystemError) {
    let resolved = try FileSystem.resolve(path)
    let file = try FileDescriptor(opening: resolved)
    var identities: Set = [try file.status().identity]
    for suffix in ["-wal", "-shm", "-journal"] {
      if let status = try FileStatus.ifPresent(at: resolved + suffix) {
        identities.insert(status.identity)
      }
    }
    let sharedMemory = try OptionalDescriptor(openingIfPresent: resolved + "-shm")
    self.identities = identities
    self.sharedMemory = sharedMemory
    self.file = file
  }

  /// Returns the other processes that use the database, ordered by number.
  ///
  /// Locks show with any process; open files only with those this user may look into, and not at
  /// all on Darwin. Of several processes that share one lock the system names one.
  package func holders() throws(SystemError) -> [Holder] {
    var uses: [Int32: Set<Holder.Use>] = [:]
    for range in SQLiteLock.inMainFile {
      if let owner = try owner(of: range, in: file) { uses[owner, default: []].insert(range.use) }
    }
    switch sharedMemory {
    case .open(let descriptor):
      let range = SQLiteLock.inSharedMemory
      if let owner = try owner(of: range, in: descriptor) {
        uses[owner, default: []].insert(range.use)
      }
    case .absent: break
    }
    for processID in processes(thatHaveOpen: identities) where processID != Platform.processID {
      uses[processID, default: []].insert(.isOpen)
    }
    return uses.sorted { $0.key < $1.key }.map { processID, uses in
      Holder(processID: processID, command: commandName(of: processID), uses: uses)
    }
  }

  private func owner(
    of range: SQLiteLock, in descriptor: borrowing FileDescriptor
  ) throws(SystemError) -> Int32? {
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = range.start
    lock.l_len = range.count
    try attempt("look for locks on", descriptor.path) {
      fcntl(descriptor.number, F_GETLK, &lock)
    }
    return Int32(lock.l_type) == Int32(F_UNLCK) ? nil : lock.l_pid
  }
}

/// Returns the other processes that use a SQLite database, ordered by number.
///
/// For a process that has no lock on the database itself: see ``LockProbe``.
package func lockHolders(of path: String) throws(SystemError) -> [Holder] {
  try LockProbe(of: path).holders()
}

/// A descriptor where there was something to open.
enum OptionalDescriptor: ~Copyable {
  case open(FileDescriptor)
  case absent

  init(openingIfPresent path: String) throws(SystemError) {
    do throws(SystemError) {
      self = .open(try FileDescriptor(opening: path))
    } catch {
      guard error.isNotFound else { throw error }
      self = .absent
    }
  }
}

/// Bytes that SQLite locks to mean something (`os.h`, `os_unix.c`); they needn't exist.
struct SQLiteLock {
  let start: off_t
  let count: off_t
  let use: Holder.Use

  static let inMainFile = [
    // The pending byte and the reserved byte, then 510 bytes that readers share.
    SQLiteLock(start: 0x4000_0000, count: 2, use: .writes),
    SQLiteLock(start: 0x4000_0002, count: 510, use: .reads),
  ]

  /// The first byte of all of them, and how many they are.
  static let wholeMainFile: (start: off_t, count: off_t) = (0x4000_0000, 512)

  // Eight locks, and one that everyone holds who has the file mapped.
  static let inSharedMemory = SQLiteLock(start: 120, count: 9, use: .sharesMemory)
}
