extension Outline {
  var bashScript: String { "" }; var zshScript: String { "" }; var fishScript: String { "" }
}
