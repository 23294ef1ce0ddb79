/// What this tool's plan does where an app's own migration goes wrong, according to its steps.
package struct Remedy {
  private let name: String

  /// The steps, with the names of entities before the migration.
  private var steps: [(entity: String, step: Step)] = []

  package init(_ migration: Migration) {
    name = migration.name
    var names: [String: String] = [:]
    for step in migration.steps {
      steps.append((names[step.entity] ?? step.entity, step))
      if case .renameEntity(let old, let new) = step { names[new] = names[old] ?? old }
    }
  }

  /// Returns what the plan does with the affected rows or values, in words.
  package func sentence(for effect: AppMigration.Effect) -> String {
    switch effect {
    case .entityDropped(let name): sentence(ofEntity: name)
    case .valuesDropped(let path), .typeChanged(let path, _, _), .nowMandatory(let path),
      .manyToOne(let path):
      sentence(of: path) ?? "the plan keeps it"
    case .newMandatory: "the plan sets a value in every row"
    }
  }

  private func sentence(ofEntity name: String) -> String {
    for (entity, step) in steps where entity == name {
      if case .renameEntity(_, let newName) = step {
        return "the plan renames it to '\(newName)', with its rows and every link"
      }
      if case .dropEntity = step { return refusal(of: name) }
    }
    return "the plan keeps them"
  }

  private func sentence(of path: PropertyPath) -> String? {
    for (entity, step) in steps where entity == path.entity {
      switch step {
      case .convert(let conversion) where conversion.inputs.contains(path.property):
        return sentence(of: conversion, from: path)
      case .rename(let old, let newName) where old.property == path.property:
        return "the plan renames it to '\(newName)'"
      case .drop(let dropped) where dropped.property == path.property:
        return refusal(of: dropped.description)
      case .relink(let linked, let keep) where linked.property == path.property:
        let others =
          keep == nil
          ? "keeps its links; where one row has a place for one link, others need"
          : "keeps one link of each row; others need"
        return "the plan \(others) '--accept-data-loss \(name):\(path)'"
      case .splitEntity(let split):
        guard let moved = split.attributes.first(where: { $0.name == path.property }) else {
          continue
        }
        return "the plan moves them to '\(split.part).\(moved.newName)'"
      case .backfill(let filled, .matching(_, of: path.property), _):
        return "the plan sets '\(filled.property)' from them where it is missing"
      case .backfill(let filled, _, _) where filled.property == path.property:
        return "the plan fills it"
      default: continue
      }
    }
    return nil
  }

  private func sentence(of conversion: Conversion, from path: PropertyPath) -> String {
    let names = conversion.outputs.map { "'\($0)'" }.joined(separator: ", ")
    let plain =
      conversion.outputs == [path.property]
      ? "the plan converts it with '\(conversion.converter.name)'"
      : "the plan converts it to \(names)"
    return conversion.converter.mayLose
      ? "\(plain); values that can't be restored need '--accept-data-loss \(name):\(path)'" : plain
  }

  private func refusal(of object: String) -> String {
    "the plan drops it only with '--accept-data-loss \(name):\(object)'"
  }
}
