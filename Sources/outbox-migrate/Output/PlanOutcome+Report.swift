import PlanWriting

extension PlanOutcome: Report {}
