"""Faults that are planted into recorded runs, to see that they are found.

Each is a protocol that lacks a sync, or that does two steps in the wrong order.
"""
import re


class Fault:
    """A change of a scenario's recording, and what must then be found in some state."""

    def __init__(self, scenario, words, change, problem):
        self.scenario, self.words, self.change, self.problem = scenario, words, change, re.compile(problem)


def unsynced(pattern):
    """Takes out the syncs of files or folders whose path matches."""
    pattern = re.compile("^sync .*%s$" % pattern)

    def change(recording):
        places = {place for place in recording.syncs if pattern.match(recording.operations[place].text)}
        if not places:
            raise ValueError("no sync matches %s" % pattern.pattern)
        return recording.without(places)

    return change


def left_out(pattern):
    """Takes out operations whose text matches."""
    pattern = re.compile(pattern)

    def change(recording):
        places = {place for place, operation in enumerate(recording.operations) if pattern.match(operation.text)}
        if not places:
            raise ValueError("no operation matches %s" % pattern.pattern)
        return recording.without(places)

    return change


ALL = [
    Fault("apply", "the work file isn't synced before it replaces the store",
          unsynced("/work"), "neither the old nor the new"),
    Fault("apply", "the store's folder isn't synced", unsynced("the store's folder"), "its result is gone"),
    Fault("apply", "the receipt's bytes aren't synced", unsynced(r"/receipt\.json\.new"),
          "journal mode|going back fails"),
    Fault("apply", "the header isn't synced before it is changed", unsynced(r"/header\.new"), "journal mode"),
    Fault("apply", "the snapshot's folder isn't synced before the exchange", unsynced(r"Z(-\d+)?"),
          "journal mode|going back fails"),
    Fault("apply-log", "the log is removed before the rows in it are synced", unsynced(r"default\.store"),
          "neither the old nor the new"),
    Fault("apply-unsynced-log", "a log that the app didn't sync isn't synced before it is folded in",
          unsynced(r"default\.store-wal"), "neither the old nor the new"),
    Fault("apply-log", "the folder of all snapshots isn't synced", unsynced(r"\.snapshots"),
          "journal mode|going back fails"),
    Fault("apply-large-values", "the copies of large values aren't synced", unsynced("_EXTERNAL_DATA/.*"),
          "isn't sound"),
    Fault("rollback", "large values that are brought back aren't synced", unsynced("SUPPORT/_EXTERNAL_DATA/.*"),
          "large value .* differs"),
    Fault("prune", "a removal isn't recorded before it starts",
          left_out(r".*receipt\.json\.new"), "says done and isn't sound"),
]
