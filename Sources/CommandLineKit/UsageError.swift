/// An error in a command line.
package enum UsageError: Error, Hashable, Sendable {
  /// No option has this name.
  case unknownOption(String, suggestion: String?)
  /// No subcommand has this name.
  case unknownSubcommand(String, suggestion: String?)
  /// A required argument or option is missing.
  case missing(label: String)
  /// An option has no value: it is the last word, or another option follows.
  case missingValue(option: String, valueName: String, next: String?)
  /// A flag has a value.
  case unexpectedValue(String, option: String)
  /// A value isn't one of the choices.
  case notAmong(value: String, parameter: String, choices: [String])
  /// A value has the wrong form.
  case malformed(value: String, parameter: String, expected: String)
  /// A value is too small or too large.
  case outOfRange(value: String, parameter: String, expected: String)
  /// An option that takes one value is repeated.
  case repeated(option: String)
  /// Two mutually exclusive flags are given.
  case exclusive(String, String)
  /// There are more arguments than the command takes.
  case unexpectedArgument(String)
  /// A command's own rule is broken; the string is the message.
  case refused(String)
}

extension UsageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownOption(let name, let suggestion):
      "unknown option '\(name)'" + question(suggestion)
    case .unknownSubcommand(let name, let suggestion):
      "unknown subcommand '\(name)'" + question(suggestion)
    case .missing(let label):
      "\(label) is missing"
    case .missingValue(let option, let valueName, nil):
      "'\(option)' needs a value; write '\(option) <\(valueName)>'"
    case .missingValue(let option, _, let next?):
      "'\(option)' needs a value; if it is '\(next)', write '\(option)=\(next)'"
    case .unexpectedValue(let value, let option):
      "'\(option)' takes no value; leave '=\(value)' out"
    case .notAmong(let value, let parameter, let choices):
      "'\(value)' isn't a value of '\(parameter)'; give \(alternatives(choices))"
    case .malformed(let value, let parameter, let expected):
      "'\(value)' isn't a value of '\(parameter)'; give \(expected)"
    case .outOfRange(let value, let parameter, let expected):
      "'\(value)' is out of range for '\(parameter)'; give \(expected)"
    case .repeated(let option):
      "'\(option)' is given more than once; give it one value"
    case .exclusive(let first, let second):
      "'\(first)' and '\(second)' exclude each other; give one of them"
    case .unexpectedArgument(let word):
      "unexpected argument '\(word)'"
    case .refused(let sentence):
      sentence
    }
  }

  private func question(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean '\($0)'?" } ?? ""
  }

  private func alternatives(_ choices: [String]) -> String {
    let quoted = choices.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }
}

/// A usage error with the command it belongs to.
package struct Misuse: Error, Hashable, Sendable, CustomStringConvertible {
  /// The exit status: `EX_USAGE` of `sysexits.h`.
  package static let exitStatus: Int32 = 64

  /// The error.
  package let error: UsageError

  /// The path of the command, starting with the tool's name.
  package let path: [String]

  /// The usage line of the command.
  package let usage: String

  /// Three lines for standard error, without a trailing newline.
  package var description: String {
    """
    Error: \(error)
    Usage: \(usage)
      See '\(path.joined(separator: " ")) --help' for more information.
    """
  }
}
