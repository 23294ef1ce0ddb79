extension Outline {
  /// The completion script for Bash 3.2 and later.
  var bashScript: String {
    """
    # \(name) completion for Bash

    \(functionName)_words() {
      COMPREPLY=($(compgen -W "$1" -- "$current"))
    }

    \(functionName)_paths() {
      local IFS=$'\\n'
      compopt -o filenames 2>/dev/null
      COMPREPLY+=($(compgen "$1" -- "$current"))
    }

    \(functionName)_lines() {
      local line
      while IFS= read -r line; do
        [[ $line == "$current"* ]] && printf -v line %q "$line" && COMPREPLY+=("$line")
      done < <(\(name) "$@" -- "${COMP_WORDS[@]:1}" 2>/dev/null)
      [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
    }

    \(functionName)() {
      local current="${COMP_WORDS[COMP_CWORD]}" word="" option="" path="" ended=""
      local index position=0
      COMPREPLY=()

    \(bashParsing)
    \(bashReplies)
    }

    complete -F \(functionName) \(name)

    """
  }

  /// The loop over the words before the cursor, which finds the command, the option and the position.
  private var bashParsing: String {
    """
      for ((index = 1; index < COMP_CWORD; index++)); do
        word="${COMP_WORDS[index]}"
        if [[ -n $ended ]]; then
          ((position++))
          continue
        fi
        case "$path $word" in
    \(bashWalk)      *" --") ended=1 ;;
          *" -"?*) ;;
          *) ((position++)) ;;
        esac
      done

    """
  }

  /// The completions of an option's value, an option's name or an argument.
  private var bashReplies: String {
    """
      case "$path $option" in
    \(bashValues)  esac
      if [[ -z $ended && $current == -* ]]; then
        case "$path" in
    \(bashOptions)    esac
        return
      fi
      case "$path $position" in
    \(bashArguments)  esac
    """
  }

  private var bashWalk: String {
    var arms = arm(6, commandWords.map(\.quoted), "path=\"$path.$word\"")
    arms += arm(6, helpWords.map(\.quoted), "")
    let patterns = valuedOptions.flatMap { key, option in
      option.names.map { bashPattern(key, $0) }
    }
    guard !patterns.isEmpty else { return arms }
    // Bash splits '--to=v1' into three words, see COMP_WORDBREAKS in bash(1).
    return arms + """
            \(patterns.joined(separator: " | ")))
              [[ ${COMP_WORDS[index + 1]} == "=" ]] && ((index++))
              ((++index >= COMP_CWORD)) && option="$word"
              [[ $current == "=" ]] && current=""
              ;;

      """
  }

  private var bashValues: String {
    valuedOptions.map { key, option in
      let patterns = option.names.map { bashPattern(key, $0) }
      return arm(
        4, patterns, [bashReply(option), "return"].compactMap(\.self).joined(separator: "; "))
    }.joined()
  }

  private var bashOptions: String {
    allVisible.map { arm(6, [$0.key.quoted], bashWords($0.optionNames)) }.joined()
  }

  private var bashArguments: String {
    allVisible.flatMap { command in
      if command.isGroup {
        let words = command.visibleSubcommands.map(\.name) + ["help"]
        return [arm(4, [command.key.quoted + "\" \"*"], bashWords(words))]
      }
      return command.positions.compactMap { position, argument in
        guard let reply = bashReply(argument) else { return nil }
        let pattern =
          position.map { "\(command.key) \($0)".quoted } ?? "\(command.key) ".quoted + "*"
        return arm(4, [pattern], reply)
      }
    }.joined()
  }

  private func bashWords(_ words: [String]) -> String {
    "\(functionName)_words \(words.joined(separator: " ").quoted)"
  }

  private func bashReply(_ parameter: Declaration) -> String? {
    switch parameter.completion {
    case .none: nil
    case .file: "\(functionName)_paths -f"
    case .directory: "\(functionName)_paths -d"
    case .values(let words): bashWords(words)
    case .lines(let words, let hasFiles):
      "\(functionName)_lines \(words.map(\.quoted).joined(separator: " "))"
        + (hasFiles ? "; \(functionName)_paths -f" : "")
    }
  }

  private func bashPattern(_ key: String?, _ name: String) -> String {
    key.map { "\($0) \(name)".quoted } ?? "*\(" \(name)".quoted)"
  }

  private func arm(_ indent: Int, _ patterns: [String], _ body: String) -> String {
    guard !patterns.isEmpty else { return "" }
    return String(repeating: " ", count: indent) + patterns.joined(separator: " | ") + ") "
      + (body.isEmpty ? "" : body + " ") + ";;\n"
  }
}

extension String {
  /// The text between single quotes, for Bash and Zsh.
  var quoted: String {
    "'" + reduce(into: "") { $0 += $1 == "'" ? #"'\''"# : String($1) } + "'"
  }
}
