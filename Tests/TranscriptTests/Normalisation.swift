/// The rules by which what changes from run to run is made the same.
struct Normalisation {
  /// The folder that the session runs in.
  let directory: String

  func callAsFunction(_ text: String) -> String {
    var text = text
    text.replace(directory, with: "<dir>")
    // What measures time: `in 412 ms`, `in 3.2 s`, `"duration_ms": 412`.
    text.replace(/in [0-9.]+ m?s\b/, with: "in <ms>")
    text.replace(/"duration_ms":( ?)[0-9]+/) { "\"duration_ms\":\($0.1)<ms>" }
    // A run reports its progress twice a second, and so never on an idle machine.
    text.replace(/\{"event":"progress".*\}\n/, with: "")
    text.replace(/\(process [0-9]+\)/, with: "(process <number>)")
    // Snapshots are named by versions and time.
    text.replace(/[0-9]{8}T[0-9]{6}Z(-[0-9]+)?/, with: "<time>")
    text.replace(/20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{3})?Z/, with: "<time>")
    // How much a file takes up on the disk is up to the file system.
    text.replace(/"bytes": [0-9]+(,\s*"(next|dry_run)")/) { "\"bytes\": <size>\($0.1)" }
    text.replace(/(<time> +|snapshots?, )[0-9.]+ [KM]B/) { "\($0.1)<size>" }
    return text
  }
}
