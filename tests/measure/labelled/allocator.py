# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A model of PyTorch's caching allocator for one GPU, which writes its events as _record_memory_history() does."""

import dataclasses

MIB, GIB = 1 << 20, 1 << 30
RESERVED = 90 * GIB  # addresses of an expandable segment


class Piece:
    """A part of a segment: one block, in use or free."""

    def __init__(self, address, size, segment):
        self.address, self.size, self.segment = address, size, segment
        self.previous = self.next = self.block = None
        self.requested, self.state, self.frames = 0, "inactive", []

    def order(self):
        return self.segment.stream, self.size, self.address

    def growable(self):
        """The size that an expandable segment could give the piece."""
        return self.size if self.next else self.size + RESERVED - self.segment.size


@dataclasses.dataclass
class Segment:
    address: int
    size: int
    stream: int
    small: bool
    frames: list
    first: Piece = None

    def pieces(self):
        piece = self.first
        while piece:
            yield piece
            piece = piece.next


class Driver:
    """Addresses as cudaMalloc gives them: in the newest range of whole 32 MiB that has room, else in a new range below the others."""

    def __init__(self):
        self.lowest, self.ranges = 0x7F3A40000000, []  # [next address, end], the newest range last

    def allocate(self, size):
        size = -(-size // (2 * MIB)) * 2 * MIB
        place = next((one for one in reversed(self.ranges) if one[0] + size <= one[1]), None)
        if not place:
            end, self.lowest = self.lowest, self.lowest - -(-size // (32 * MIB)) * 32 * MIB
            place = [self.lowest, end]
            self.ranges.append(place)
        place[0] += size
        return place[0] - size


class Allocator:
    """PyTorch's rules: a pool for each stream and for up to 1 MiB or more, best fit, splits, neighbours that join."""

    def __init__(self, capacity, expandable, record):
        self.capacity, self.expandable, self.record = capacity, expandable, record
        self.driver, self.segments, self.free_pieces, self.pending, self.reserved = Driver(), [], {}, [], 0

    def pool(self, stream, small):
        return self.free_pieces.setdefault((stream, small), set())

    def allocate(self, block, stream, frames):
        """Gives the block its address; without one, memory ran out."""
        self.pending = [(piece, calls - 1) for piece, calls in self.pending]
        for piece, calls in self.pending:
            if calls == 0:
                self.complete(piece, frames)
        self.pending = [(piece, calls) for piece, calls in self.pending if calls]
        size = max(-(-block.bytes // 512) * 512, 512)
        piece = self.find(size, stream) or self.grow(size, stream, frames)
        if not piece:
            self.empty_cache(frames)
            piece = self.grow(size, stream, frames)
        if not piece:
            self.record("oom", self.capacity - self.reserved, size, stream, frames)
            return
        self.pool(stream, size <= MIB).discard(piece)
        rest = piece.size - size
        if rest >= 512 if size <= MIB or self.expandable else rest > MIB:
            after = Piece(piece.address + size, rest, piece.segment)
            after.previous, after.next, piece.next, piece.size = piece, piece.next, after, size
            if after.next:
                after.next.previous = after
            self.pool(stream, size <= MIB).add(after)
        piece.requested, piece.state, piece.frames, piece.block = block.bytes, "active_allocated", frames, block
        block.piece, block.address = piece, piece.address
        block.birth = self.record("alloc", piece.address, block.bytes, stream, frames)

    def find(self, size, stream):
        fitting = sorted((piece for piece in self.pool(stream, size <= MIB) if piece.size >= size), key=Piece.order)
        while self.expandable and len(fitting) > 1 and fitting[1].growable() < fitting[0].growable():
            fitting.pop(0)  # better a larger piece than the one that can grow
        return fitting[0] if fitting else None

    def grow(self, size, stream, frames):
        small = size <= MIB
        if self.expandable:
            return self.extend(size, stream, small, frames)
        total = 2 * MIB if small else 20 * MIB if size < 10 * MIB else -(-size // (2 * MIB)) * 2 * MIB
        if self.reserved + total > self.capacity:
            return None
        segment = Segment(self.driver.allocate(total), total, stream, small, frames)
        segment.first = Piece(segment.address, total, segment)
        self.segments.append(segment)
        self.reserved += total
        self.record("segment_alloc", segment.address, total, stream, frames)
        return segment.first

    def extend(self, size, stream, small, frames):
        """Maps more pages behind the segment of the pool."""
        segment = next((one for one in self.segments if (one.stream, one.small) == (stream, small)), None)
        last = list(segment.pieces())[-1] if segment else None
        free = last if last and last.state == "inactive" else None
        page = 2 * MIB if small else 20 * MIB
        mapped = -(-(size - (free.size if free else 0)) // page) * page
        if self.reserved + mapped > self.capacity:
            return None
        if not segment:
            segment = Segment(0x302000000 + (len(self.segments) << 38), 0, stream, small, frames)
            self.segments.append(segment)
        self.record("segment_map", segment.address + segment.size, mapped, stream, frames)
        if not free:
            free = Piece(segment.address + segment.size, 0, segment)
            free.previous = last
            if last:
                last.next = free
            else:
                segment.first = free
        free.size += mapped
        segment.size += mapped
        self.reserved += mapped
        return free

    def free(self, block, frames):
        piece = block.piece
        self.record("free_requested", piece.address, piece.requested, piece.segment.stream, frames)
        if block.elsewhere:  # record_stream(): the other stream has to finish first
            piece.state = "active_pending_free"
            self.pending.append((piece, 3))  # it takes until the third allocation from now
        else:
            self.complete(piece, frames)

    def complete(self, piece, frames):
        segment = piece.segment
        piece.block.death = self.record("free_completed", piece.address, piece.requested, segment.stream, frames)
        piece.state, piece.frames, piece.block = "inactive", [], None
        pool = self.pool(segment.stream, segment.small)
        for left, right in ((piece, piece.next), (piece.previous, piece)):
            if left and right and left.state == right.state == "inactive":
                pool -= {left, right}
                left.size, left.next = left.size + right.size, right.next
                if left.next:
                    left.next.previous = left
                piece = left
        pool.add(piece)

    def empty_cache(self, frames):
        """Returns segments without a block; of expandable segments none."""
        for small in (False, True) if not self.expandable else ():
            free = [piece for pool, pieces in self.free_pieces.items() if pool[1] == small for piece in pieces]
            for piece in sorted(free, key=Piece.order):
                segment = piece.segment
                if not piece.previous and not piece.next:
                    self.pool(segment.stream, small).discard(piece)
                    self.segments.remove(segment)
                    self.reserved -= segment.size
                    self.record("segment_free", segment.address, segment.size, segment.stream, frames)

    def dump(self):
        def row(segment):
            pieces = list(segment.pieces())
            used = [piece for piece in pieces if piece.state != "inactive"]
            return {"device": 0, "address": segment.address, "total_size": segment.size,
                    "allocated_size": sum(piece.size for piece in used if piece.state == "active_allocated"),
                    "active_size": sum(piece.size for piece in used), "requested_size": sum(piece.requested for piece in used),
                    "stream": segment.stream, "segment_type": "small" if segment.small else "large", "segment_pool_id": (0, 0),
                    "is_expandable": self.expandable, "frames": segment.frames,
                    "blocks": [{"address": piece.address, "size": piece.size, "requested_size": piece.requested, "state": piece.state,
                                "frames": piece.frames} for piece in pieces]}
        return [row(segment) for segment in sorted(self.segments, key=lambda one: one.address)]
