extension Outline {
  /// The completion script for Zsh, one function for each command.
  var zshScript: String {
    """
    #compdef \(name)

    # \(name) completion for Zsh

    \(functionName)_lines() {
      local -a lines=(${(f)"$(\(name) "$@" -- "${words[@]}" 2>/dev/null)"})
      compadd -S '' -- ${(M)lines:#*/}
      compadd -- ${lines:#*/}
    }

    \(allVisible.map(\.zshFunction).joined(separator: "\n"))
    if [ "$funcstack[1]" = "\(functionName)" ]; then
      \(functionName) "$@"
    else
      compdef \(functionName) \(name)
    fi

    """
  }

  private var zshFunction: String { isGroup ? zshGroup : zshCommand }

  private var zshCommand: String {
    let specs = options.flatMap(zshSpecs) + positions.map { zshSpec($0.argument) }
    return """
      \(functionName)() {
        _arguments -s -S : \\
          \(specs.joined(separator: " \\\n    "))
      }

      """
  }

  private var zshGroup: String {
    let specs = options.flatMap(zshSpecs) + [#"'(-): :->command'"#, #"'(-)*:: :->rest'"#]
    let commands = visibleSubcommands.map { "\($0.name):\($0.abstract)".zshEscaped(":").quoted }
    let arms = visibleSubcommands.map { "    \($0.name)) \($0.functionName) ;;\n" }.joined()
    return """
      \(functionName)() {
        local state state_descr line context curcontext="$curcontext"
        typeset -A opt_args
        local -a commands=(
          \(commands.joined(separator: "\n    "))
          'help:Show help information.'
        )
        _arguments -C -s -S : \\
          \(specs.joined(separator: " \\\n    ")) && return
        case "$state" in
        command) _describe command commands ;;
        rest)
          case "${words[1]}" in
      \(arms)    help) \(functionName) ;;
          esac
          ;;
        esac
      }

      """
  }

  /// Returns an option's entries for the function `_arguments`, one for each name.
  ///
  /// See zshcompsys(1).
  private func zshSpecs(_ option: Declaration) -> [String] {
    option.names.map { name in
      let others = option.repeats ? [] : option.names + option.excludes
      let exclusion = others.isEmpty ? "*" : "(\(others.joined(separator: " ")))"
      let sign = option.kind == .option && !name.isShortName ? "=" : ""
      let value = option.kind == .option ? zshValue(option) : ""
      let help = option.help.zshEscaped("[]")
      return "\(exclusion)\(name)\(sign)[\(help)]\(value)".quoted
    }
  }

  private func zshSpec(_ argument: Declaration) -> String {
    let optional = argument.isRequired || argument.repeats ? "" : ":"
    return "\(argument.repeats ? "*" : "")\(optional)\(zshValue(argument))".quoted
  }

  private func zshValue(_ parameter: Declaration) -> String {
    let action =
      switch parameter.completion {
      case .none: " "
      case .file: "_files"
      case .directory: "_files -/"
      case .values(let words): "(\(words.joined(separator: " ")))"
      case .lines(let words, let hasFiles):
        "{\(functionName(of: path.prefix(1)))_lines "
          + words
          .joined(separator: " ") + (hasFiles ? "; _files}" : "}")
      }
    return ":\(parameter.valueName.zshEscaped(":")):\(action)"
  }
}

extension String {
  /// Returns the text with a backslash before certain characters and before backslashes.
  fileprivate func zshEscaped(_ characters: String) -> String {
    reduce(into: "") { result, character in
      if character == "\\" || characters.contains(character) { result += "\\" }
      result.append(character)
    }
  }
}
