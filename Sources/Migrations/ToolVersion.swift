/// The tool's version, as receipts and `--version` state it.
package let toolVersion = "0.1.0"

/// The tool's name and version, as receipts state them.
package let toolName = "outbox-migrate \(toolVersion)"
