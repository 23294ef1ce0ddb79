extension Outline {
  /// The completion script for Fish 3.0 and later.
  var fishScript: String {
    """
    # \(name) completion for Fish

    # True at a command, given by the words that lead to it; at an argument of it, given a position.
    function _\(functionName)_at
        set -l tokens (commandline -opc)
        set -l path ''
        set -l position 0
        set -l skips 0
        set -l ended 0
        for word in $tokens[2..-1]
            if test $skips = 1
                set skips 0
            else if test $ended = 1
                set position (math $position + 1)
            else
                switch "$path $word"
    \(fishWalk)                case '* --'
                        set ended 1
                    case '* -?*'
                    case '*'
                        set position (math $position + 1)
                end
            end
        end
        test "$path" = "$argv[1]"; or return 1
        test (count $argv) = 1; or test $position = "$argv[2]"
    end

    complete -c \(name) -f
    \(allVisible.map(fishLines).joined())
    """
  }

  private var fishWalk: String {
    let walk = fishArm(commandWords, "set path \"$path.$word\"") + fishArm(helpWords, nil)
    let valued = valuedOptions.flatMap { key, option in
      option.names.map { (key ?? "*") + " " + $0 }
    }
    return walk + fishArm(valued, "set skips 1")
  }

  private func fishArm(_ patterns: [String], _ body: String?) -> String {
    guard !patterns.isEmpty else { return "" }
    let list = patterns.map(\.fishQuoted).joined(separator: " ")
    return "                case \(list)\n" + (body.map { "                    \($0)\n" } ?? "")
  }

  private func fishLines(of command: Outline) -> String {
    let here = fishStart(command.key)
    var lines = command.visibleSubcommands.map {
      "\(here) -a \($0.name.fishQuoted) -d \($0.abstract.fishQuoted)"
    }
    if command.isGroup { lines.append("\(here) -a help -d 'Show help information.'") }
    lines += command.options.map { "\(here) \(fishOption($0)) -d \($0.help.fishQuoted)" }
    lines += command.positions.compactMap { position, argument in
      guard argument.completion != .none else { return nil }
      return fishStart(command.key, position) + " " + fishValue(argument, exclusive: "")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func fishStart(_ key: String, _ position: Int? = nil) -> String {
    let suffix = position.map { " \($0)" } ?? ""
    return "complete -c \(name) -n \("_\(functionName)_at \"\(key)\"\(suffix)".fishQuoted)"
  }

  private func fishOption(_ option: Declaration) -> String {
    let names = option.names.map {
      $0.isShortName ? "-s \($0.dropFirst())" : "-l \($0.drop { $0 == "-" })"
    }
    let value = option.kind == .option ? [fishValue(option, exclusive: "-x ")] : []
    return (names + value).joined(separator: " ")
  }

  private func fishValue(_ parameter: Declaration, exclusive: String) -> String {
    switch parameter.completion {
    case .none: "-x"
    case .file: exclusive.isEmpty ? "-F" : "-r -F"
    case .directory: exclusive + "-a '(__fish_complete_directories)'"
    case .lines(let words, let hasFiles):
      (hasFiles ? exclusive.isEmpty ? "-F " : "-r -F " : exclusive) + "-a "
        + "(\(name) \(words.joined(separator: " ")) -- (commandline -opc)[2..-1] 2>/dev/null)"
        .fishQuoted
    case .values(let words): exclusive + "-a \(words.joined(separator: " ").fishQuoted)"
    }
  }
}

extension String {
  /// The text between single quotes, for Fish.
  fileprivate var fishQuoted: String {
    "'" + reduce(into: "") { $0 += $1 == "'" || $1 == "\\" ? "\\\($1)" : String($1) } + "'"
  }
}
