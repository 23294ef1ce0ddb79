/// The tool's version, as receipts and `--version` state it.
package let toolVersion = "0.1.0"
