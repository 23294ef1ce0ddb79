/// The values given to a command, one for each of its parameters.
///
/// All of them have been converted and found valid before a command is created.
package struct Input: ~Copyable {
  private let values: [String: any Sendable]

  init(_ values: [String: any Sendable]) { self.values = values }

  /// The value of a parameter.
  ///
  /// - Precondition: The parameter is one of the command's, or one of the tool's global ones.
  package subscript<P: Parameter>(parameter: P) -> P.Value {
    guard let value = values[parameter.id] as? P.Value else {
      preconditionFailure("'\(parameter.id)' isn't among the parameters of the command")
    }
    return value
  }
}
