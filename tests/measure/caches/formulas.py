#!/usr/bin/env python3
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""vLLM's layout of caches as formulas, without vLLM. Run, it holds them against every row of vllm_caches.csv."""

import csv
import math
import pathlib
import re
import sys
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
POOL = 20 * 2**30
STATE_KINDS = {"mamba1", "mamba2", "gdn_attn", "short_conv", "linear"}


@dataclass(frozen=True)
class Layers:
    """Layers of one kind: full, sliding(window), chunked(size), mla, indexer, or a state's kind."""

    kind: str
    count: int
    bytes: int  # of a token, or of the whole state, on one rank

    @property
    def is_state(self) -> bool:
        return self.kind in STATE_KINDS

    @property
    def reach(self) -> int:
        found = re.search(r"\((\d+)\)", self.kind)
        return int(found.group(1)) if found else 0


@dataclass(frozen=True)
class Group:
    layers: Layers
    size: int  # layers in it
    block: int  # tokens
    page: int  # bytes of one block of one layer


@dataclass(frozen=True)
class Layout:
    block: int  # tokens of a block of the main attention
    groups: list[Group]
    block_bytes: int  # of one block of the pool


def ceil_div(value: int, step: int) -> int:
    return -(-value // step)


def hybrid_block(state: int, token: int, kernel: int, mla: bool, checkpoint: int) -> int:
    """Tokens of an attention block whose page holds one state."""
    align = max(kernel, 128) if mla else kernel
    align = math.lcm(align, checkpoint)
    block = align * ceil_div(state, align * token)
    return kernel * ceil_div(block, kernel)


def block_and_page(layers: Layers, block: int, page: int) -> tuple[int, int]:
    """Makes the page of these layers as large as the largest: states and odd sizes are padded, others take more
    tokens."""
    own = layers.bytes if layers.is_state else layers.bytes * block
    if layers.is_state or page % own:
        return block, page
    return block * (page // own), page


def group_size(counts: list[int]) -> int:
    return max(counts) if max(counts) < 1.5 * min(counts) else min(counts)


def split(count: int, size: int) -> list[int]:
    """Layers i, i + n, i + 2n, ... of n groups."""
    groups = ceil_div(count, size)
    return [len(range(first, count, groups)) for first in range(groups)]


def mixed_layout(kinds: list[Layers], block: int) -> Layout:
    page = max(kind.bytes if kind.is_state else kind.bytes * block for kind in kinds)
    size = group_size([kind.count for kind in kinds])
    groups = [Group(kind, part, *block_and_page(kind, block, page)) for kind in kinds
              for part in split(kind.count, size)]
    return Layout(block, groups, page * max(group.size for group in groups))


def layout(kinds: list[Layers], kernel: int, checkpoint: int) -> Layout:
    attention = [kind for kind in kinds if not kind.is_state]
    states = [kind for kind in kinds if kind.is_state]
    block = kernel
    if states and attention:
        main = attention[0]
        block = max(kernel, hybrid_block(states[0].bytes, main.bytes, kernel, main.kind == "mla", checkpoint))
    if len(kinds) == 1 or {kind.kind for kind in kinds} == {"mla", "indexer"}:
        pages = [kind.bytes if kind.is_state else kind.bytes * block for kind in kinds]
        groups = [Group(kinds[0], sum(kind.count for kind in kinds), block, pages[0])]
        return Layout(block, groups, sum(kind.count * page for kind, page in zip(kinds, pages)))
    return mixed_layout(kinds, block)


def blocks_of(group: Group, length: int, in_flight: int, state_blocks: int) -> int:
    """What one sequence of this length takes from the pool for one group."""
    layers = group.layers
    if layers.is_state:
        return state_blocks
    if layers.kind.startswith("sliding"):
        return ceil_div(min(layers.reach - 1 + in_flight, length), group.block) + 1
    if layers.kind.startswith("chunked"):
        return ceil_div(min(layers.reach + in_flight, length), group.block)
    return ceil_div(length, group.block)


def state_blocks(prefix_caching: bool, kind: str, checkpoint: int, kernels: str) -> int:
    """With prefix caching two, and a third where the kernel can export a state from inside a prefill."""
    if not prefix_caching:
        return 1
    return 3 if kind == "mamba2" or checkpoint > 1 or "KIMI_K3_KDA" in kernels else 2


def kinds_of(row: dict[str, str]) -> list[Layers]:
    tokens = dict(part.rsplit(" ", 1) for part in row["token_bytes_layer"].split("; ") if part)
    counts = dict(part.rsplit(" ", 1) for part in row["attention_layers"].split("; ") if part)
    kinds = [Layers(kind, int(count), int(tokens[kind])) for kind, count in counts.items()]
    if int(row["state_layers"]):
        kinds.append(Layers(row["state_kind"], int(row["state_layers"]), int(row["state_bytes_layer"])))
    return kinds


def expected(row: dict[str, str]) -> dict[str, str]:
    kinds, checkpoint = kinds_of(row), int(row["state_align"] or 1)
    plan = layout(kinds, int(row["kernel_block"] or 16), checkpoint)
    per_state = state_blocks(row["prefix_caching"] == "on", row["state_kind"], checkpoint, row["kernel"])
    blocks = POOL // plan.block_bytes
    figures: dict[str, int | float | str] = {
        "block_tokens": plan.block, "groups": len(plan.groups), "block_bytes": plan.block_bytes,
        "blocks_20gib": blocks}
    if len({group.page for group in plan.groups}) == 1 and "indexer" not in row["attention_layers"]:
        figures["page_bytes"] = plan.groups[0].page
    if int(row["state_layers"]):
        figures["state_blocks_sequence"] = per_state
    for length in (8192, 131072):
        needed = sum(blocks_of(group, length, int(row["tokens_in_flight"]), per_state) for group in plan.groups)
        figures[f"blocks_{length}"] = needed
        figures[f"sequence_bytes_{length}"] = needed * plan.block_bytes
        figures[f"concurrency_{length}"] = round(blocks / needed, 6)
        figures[f"starts_{length}"] = "yes" if needed * plan.block_bytes <= POOL - plan.block_bytes else "no"
    return {name: str(value) for name, value in figures.items()}


def main() -> int:
    # Pages of several sizes that are packed side by side (DeepSeek V4) are not stated here;
    # tst_state_caches.cpp holds the program's own layout to those rows.
    rows = [row for row in csv.DictReader(open(HERE / "vllm_caches.csv", newline="")) if row["layout"] != "BLHNC"]
    wrong = 0
    for row in rows:
        for name, value in expected(row).items():
            if row[name] != value:
                wrong += 1
                print(f"{row['model']} tp {row['tp']} {row['cache_dtype']} {row['prefix_caching']}: "
                      f"{name} is {row[name]}, the formulas say {value}")
    print(f"{len(rows)} rows, {wrong} figures differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
