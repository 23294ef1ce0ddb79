/// The tool's version, as receipts and `--version` state it.
public let toolVersion = "0.1.0"
