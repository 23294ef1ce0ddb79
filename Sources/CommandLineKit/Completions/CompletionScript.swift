extension Tool {
  /// The completion script for a shell, to be installed where that shell looks for it.
  ///
  /// Bash: `bash-completion/completions/NAME`; Zsh: `_NAME` on `fpath`; Fish: `NAME.fish`.
  public func completionScript(for shell: Shell) -> String {
    switch shell {
    case .bash: outline.bashScript
    case .zsh: outline.zshScript
    case .fish: outline.fishScript
    }
  }
}
