import Platform
import Processes
import RowRewriting
import OutboxConversion
import StoreProof

/// What libFuzzer calls with the bytes that it makes up; the environment names the target.
///
/// Related documentation: <https://llvm.org/docs/LibFuzzer.html>
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let problem = chosen.problem(bytes) { fatalError(problem) }
  return 0
}

/// Writes the seeds of the target into the folder that the environment names.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>
) -> CInt {
  guard let folder = environment("OUTBOX_MIGRATE_FUZZ_SEEDS") else { return 0 }
  do {
    for (number, seed) in try chosen.seeds().enumerated() {
      let path = "\(folder)/seed-\(number)"
      if try !FileSystem.exists(path) { try FileSystem.create(path, seed) }
    }
  } catch {
    fatalError("the seeds can't be made: \(error)")
  }
  return 0
}

private let chosen: FuzzTarget = {
  let name = environment("OUTBOX_MIGRATE_FUZZ") ?? ""
  guard let target = FuzzTarget.named(name) else {
    fatalError("no target '\(name)'; give one of \(FuzzTarget.all.map(\.name))")
  }
  return target
}()
