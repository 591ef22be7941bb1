#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the addresses of segments tell the order in which they were made: what core/analysis/replayed/segment_order assumes.

segment_order.py FOLDER…: for each device of each snapshot with at least twelve new segments, the share of them that begin a range of
32 MiB, and the share of pairs of which the earlier one is the earlier one by its address too. Runs nothing of a snapshot.
"""

import gzip
import pathlib
import pickle
import sys

RANGE = 32 << 20
MOST = 600  # segments: all pairs are compared


class Plain(pickle.Unpickler):
    def find_class(self, module, name):
        raise pickle.UnpicklingError(f"{module}.{name}")


def snapshot(path):
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as file:
            found = Plain(file).load()
    except Exception:  # whatever is no snapshot
        return {}
    return found if isinstance(found, dict) else {}


def main(folders):
    for path in sorted(each for folder in folders for each in pathlib.Path(folder).glob("*.p*")):
        for device, events in enumerate(snapshot(path).get("device_traces", [])):
            made = dict.fromkeys(event["addr"] for event in events if event["action"] == "segment_alloc")
            starts = list(made)[:MOST]
            if len(starts) < 12:
                continue
            aligned = sum(start % RANGE == 0 for start in starts) / len(starts)
            keys = [(-(start // RANGE), start) if aligned > 0.25 else (0, start) for start in starts]
            right = sum(keys[i] < keys[j] for j in range(len(keys)) for i in range(j))
            pairs = len(keys) * (len(keys) - 1) // 2
            print(f"{path.name:44} {device} {len(starts):4} segments  {aligned:4.0%} aligned  {right / pairs:6.1%} of pairs right")


if __name__ == "__main__":
    main(sys.argv[1:])
