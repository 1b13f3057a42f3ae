"""Which of the records that remain are nearest to a point, and which one is the farthest?

Records lie in blocks of 256 neighbours (the leaves of a k-d tree).  Each attribute of a record
has a code of one byte: in which of up to 256 equal cells it lies.  The codes of two points tell
how far apart the centres of their cells are, as an integer of sixteen bits for which a processor
does 16 to 32 records at once, and by the triangle inequality that is their distance but for what
both points miss of their centres.  So a scan of codes finds the few records that can be near or
far enough; these are then measured as a scan of all records measures them, and judged by that
alone.  Hence the answer is that of a scan of all records, ties by index included.

There are two sets of codes.  For the nearest, cells are small, and what lies far outside is put
into the outermost cell: moving both points into a box brings them closer, if anything.  For the
farthest, cells cover all records.

A block also knows the box around its records.  Its bounds are computed by the same operations in
the same order as a distance, and floating-point subtraction, multiplication and addition are
monotone, so a bound is never on the wrong side of a distance it bounds.  A block that can only
tie is passed over if its lowest index loses the tie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from covey.kernels.mdav.median import sort_into_blocks
from covey.kernels.mdav.nearest import Nearest, offer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Bytes = NDArray[np.uint8]

SLOTS = 256
"""Records in a block: a constant, so that a loop over them becomes a few vectors."""

_MOST = 65535
_LANES = 32
# Share of the records that may lie outside the cells for the nearest, at each end.
_OUTSIDE = 0.001
_SAMPLE = 8192
# What rounding can do to a distance is many times smaller, so a bound with this slack is one.
_RELATIVE = 1.0 + 1e-9
_ABSOLUTE = 1e-150
_SLACK = 1e-9


class CellCodes(NamedTuple):
    """The codes of all records: block by block, attribute by attribute.

    The code of x is ``(x - low) / width``, cut off at ``most``.  ``least`` and ``largest`` bound
    the codes of each block (attribute by attribute), and ``miss`` bounds how far a record, moved
    into the box of the cells, is from the centre of its cell.
    """

    codes: Bytes
    least: Bytes
    largest: Bytes
    low: Floats
    most: Floats
    width: float
    miss: float
    nearest: bool


class Blocks(NamedTuple):
    """Records in blocks: their values, indices and how many each block still holds.

    ``place`` is the block and slot of each record (256 times the block, plus the slot); for a
    record that left the inverted bits of its last one.  ``boxes`` holds the least and the largest
    value of each attribute in a block, and ``lowest`` its lowest index, as they were built.
    ``radii`` are the largest squared distances in a block to ``origin``.  ``state`` is how far the
    last search of the nearest looked, how far this one does, both in squared cells, and how many
    records its heap holds.  The rest is room to work in.
    """

    near: CellCodes
    far: CellCodes
    values: Floats
    records: Integers
    counts: Integers
    place: Integers
    boxes: Floats
    lowest: Integers
    origin: Floats
    radii: Floats
    state: Integers
    sums: NDArray[np.uint16]
    folded: NDArray[np.uint16]
    reach: NDArray[np.uint16]
    queue: Integers
    code: NDArray[np.int16]


def blocks_of(X: Floats, records: Integers) -> Blocks:
    """Put the given rows of ``X`` into blocks.

    O(m log m) time for m records, and memory for one copy of their values and two bytes for each.
    """
    n, d = X.shape
    m = records.shape[0]
    count = max(1, -(-m // SLOTS))
    order = np.empty(count * SLOTS, dtype=np.int64)
    order[:m] = records
    values = np.empty((count * SLOTS, d))
    values[:m] = X[records]
    sort_into_blocks(order[:m], values[:m], SLOTS)
    # The last block is filled up with its last record, which counts for nothing.
    values[m:] = values[m - 1]
    place = np.full(n, -1)
    place[order[:m]] = np.arange(m)
    order[m:] = n
    filled = np.full(count, SLOTS)
    filled[-1] = m - (count - 1) * SLOTS
    columns = np.ascontiguousarray(values.T).reshape(d, count, SLOTS)
    boxes = np.stack((columns.min(axis=2).T, columns.max(axis=2).T), axis=1)
    low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    origin = low + (high - low) / 2.0
    radii = np.zeros((count, SLOTS))
    for j in range(d):
        away = columns[j] - origin[j]
        away *= away
        radii += away
    # Where the cells end costs time alone, so a sample may say it.
    sample = np.sort(values[: m : -(-m // _SAMPLE)], axis=0)
    cut = int(len(sample) * _OUTSIDE)
    return Blocks(
        near=_cells(columns, sample[cut], sample[-1 - cut], nearest=True),
        far=_cells(columns, low, high, nearest=False),
        values=values.reshape(count, SLOTS, d),
        records=order.reshape(count, SLOTS),
        counts=filled,
        place=place,
        boxes=boxes,
        lowest=order.reshape(count, SLOTS).min(axis=1),
        origin=origin,
        radii=radii.max(axis=1),
        state=np.array([_MOST, 0, 0]),
        sums=np.empty(SLOTS, dtype=np.uint16),
        folded=np.empty(_LANES, dtype=np.uint16),
        reach=np.empty(-(-count // SLOTS) * SLOTS, dtype=np.uint16),
        queue=np.empty(count, dtype=np.int64),
        code=np.empty(d, dtype=np.int16),
    )


def _cells(columns: Floats, low: Floats, high: Floats, *, nearest: bool) -> CellCodes:
    """Give codes to values, as fine as sums of squares below 65,536 allow."""
    d, count, _ = columns.shape
    width, most = _widths(high - low)
    codes = np.zeros((count, d, SLOTS), dtype=np.uint8)
    miss = np.inf
    if most.any():
        missed = np.zeros((count, SLOTS))
        for j in range(d):
            inside = columns[j] - low[j]
            np.maximum(inside, 0.0, out=inside)
            np.minimum(inside, (most[j] + 1.0) * width, out=inside)
            code = np.minimum(np.floor(inside / width), most[j])
            codes[:, j] = code
            code += 0.5
            code *= width
            inside -= code
            inside *= inside
            missed += inside
        miss = float(np.sqrt(missed.max())) * _RELATIVE + _SLACK * width
    # Blocks in steps of 256 too, so that the same vectors bound 256 of them at once.
    steps = -(-count // SLOTS)
    bounds = np.zeros((2, steps * SLOTS, d), dtype=np.uint8)
    bounds[0, :count], bounds[1, :count] = codes.min(axis=2), codes.max(axis=2)
    least, largest = bounds.reshape(2, steps, SLOTS, d).transpose(0, 1, 3, 2).copy()
    return CellCodes(codes, least, largest, low, most, width, miss, nearest)


def _widths(ranges: Floats) -> tuple[float, Floats]:
    """Return the width of all cells and the largest code of each attribute.

    All codes are 0 where values are equal, or beyond what floating-point numbers can square.
    """
    widest = ranges.max()
    if not 1e-140 < widest < 1e150:
        return 1.0, np.zeros_like(ranges)
    width = widest * np.sqrt(((ranges / widest) ** 2).sum() / _MOST) * _RELATIVE
    width = max(width, widest / 255.5)
    return float(width), np.floor(ranges / width)


@njit(cache=True)
def nearest_in_blocks(blocks: Blocks, point: Floats, home: int, heap: Nearest) -> None:
    """Fill the heap with the remaining records nearest to the point.

    The first scan looks a little farther than the last search had to.  If k records were not found
    within that, another scan starts in the block ``home`` and looks as far as those force it to.
    """
    cells = blocks.near
    reach, state = blocks.reach, blocks.state
    count = blocks.counts.shape[0]
    missed = _encode(cells, point, blocks.code)
    for step in range(cells.least.shape[0]):
        _gaps(cells.least[step], cells.largest[step], blocks.code, reach[step * SLOTS :])
    guess = min(state[0] + state[0] // 4 + 1, _MOST)
    # One place that calls, and no constants in the call: each would be compiled anew.
    for turn in range(3):
        skipped = -1
        if turn == 1:
            state[1] = _MOST
            state[2] = 0
            blocks.queue[0] = home
            queued = 1
        else:
            if turn == 0:
                state[1] = guess
                state[2] = 0
            else:
                skipped = home
            queued = _queue(reach, count, state[1], blocks.queue)
        _visit(blocks, queued, skipped, point, missed, heap)
        if turn == 0 and state[2] == heap.distances.shape[0]:
            state[0] = _look(cells.width, missed, heap.distances[0])
            if state[0] <= guess:
                return
    state[0] = state[1]


@njit(cache=True)
def _visit(
    blocks: Blocks, queued: int, home: int, point: Floats, missed: float, heap: Nearest
) -> None:
    """Offer what is near enough in the blocks of the queue, but for ``home``, to the heap."""
    cells, sums, state = blocks.near, blocks.sums, blocks.state
    d = point.shape[0]
    capacity = heap.distances.shape[0]
    threshold, size = state[1], state[2]
    worst, worst_record = np.inf, -1
    if size == capacity:
        worst, worst_record = heap.distances[0], heap.records[0]
    for at in range(queued):
        block = blocks.queue[at]
        if block == home or blocks.reach[block] > threshold:
            continue
        if size == capacity:
            bound = 0.0
            for j in range(d):
                x = point[j]
                gap = x - min(max(x, blocks.boxes[block, 0, j]), blocks.boxes[block, 1, j])
                bound += gap * gap
            if bound > worst or (bound == worst and blocks.lowest[block] > worst_record):
                continue
        _square_codes(cells.codes[block], blocks.code, sums)
        _fold(sums, cells.nearest, blocks.folded)
        left = blocks.counts[block]
        for lane in range(_LANES):
            if blocks.folded[lane] > threshold:
                continue
            for slot in range(lane, left, _LANES):
                if sums[slot] > threshold:
                    continue
                distance = 0.0
                for j in range(d):
                    difference = blocks.values[block, slot, j] - point[j]
                    distance += difference * difference
                if distance <= worst:
                    size = offer(heap, size, distance, blocks.records[block, slot])
                    if size == capacity:
                        worst, worst_record = heap.distances[0], heap.records[0]
                        threshold = min(threshold, _look(cells.width, missed, worst))
    state[1], state[2] = threshold, size


@njit(cache=True)
def _look(width: float, missed: float, worst: float) -> int:
    """Return the largest sum of codes that a record can have which is no farther than another."""
    cells = (np.sqrt(worst) * _RELATIVE + _ABSOLUTE + missed) / width * _RELATIVE
    return int(cells * cells) + 1 if cells < 255.9 else _MOST


@njit(cache=True)
def _queue(reach: NDArray[np.uint16], count: int, threshold: int, queue: Integers) -> int:
    """List the blocks whose bound is within the threshold; return how many there are."""
    queued = 0
    for start in range(0, count, SLOTS):
        if _least(reach[start : start + SLOTS]) <= threshold:
            for block in range(start, min(start + SLOTS, count)):
                queue[queued] = block
                queued += reach[block] <= threshold
    return queued


@njit(cache=True)
def farthest_in_blocks(blocks: Blocks, point: Floats) -> int:
    """Find the remaining record farthest from the point; the lowest index among equals.

    The corners of a box promise too much, because data are round.  So the squared distance r to
    an origin in the middle gives a second bound: with v = point - origin, that to the point is
    r + v.v - 2 (x - origin).v.  It is computed with more slack than rounding can need.
    """
    cells, sums, reach = blocks.far, blocks.sums, blocks.reach
    d = point.shape[0]
    count = blocks.counts.shape[0]
    missed = _encode(cells, point, blocks.code)
    for step in range(cells.least.shape[0]):
        _spans(cells.least[step], cells.largest[step], blocks.code, reach[step * SLOTS :])
    square, top, widest = 0.0, 0, 0.0
    for j in range(d):
        v = point[j] - blocks.origin[j]
        square += v * v
    for block in range(count):
        widest = max(widest, blocks.radii[block])
        if blocks.counts[block] > 0 and (blocks.counts[top] == 0 or reach[block] > reach[top]):
            top = block
    constant = square + _SLACK * (widest + square) + _ABSOLUTE
    best, best_record, threshold = -1.0, -1, 0
    for turn in range(-1, count):
        block = top if turn < 0 else turn
        if reach[block] < threshold or turn == top or blocks.counts[block] == 0:
            continue
        corner, along = 0.0, 0.0
        for j in range(d):
            x, low, high = point[j], blocks.boxes[block, 0, j], blocks.boxes[block, 1, j]
            span = max(x - low, high - x)
            corner += span * span
            v = x - blocks.origin[j]
            along += ((low if v > 0.0 else high) - blocks.origin[j]) * v
        if corner < best or blocks.radii[block] + constant - 2.0 * along < best:
            continue
        if corner == best and blocks.lowest[block] > best_record:
            continue
        _square_codes(cells.codes[block], blocks.code, sums)
        _fold(sums, cells.nearest, blocks.folded)
        left = blocks.counts[block]
        for lane in range(_LANES):
            if blocks.folded[lane] < threshold:
                continue
            for slot in range(lane, left, _LANES):
                if sums[slot] < threshold:
                    continue
                distance = 0.0
                for j in range(d):
                    difference = blocks.values[block, slot, j] - point[j]
                    distance += difference * difference
                record = blocks.records[block, slot]
                if distance > best or (distance == best and record < best_record):
                    best, best_record = distance, record
                    limit = (np.sqrt(best) / _RELATIVE - _ABSOLUTE - missed) / cells.width
                    if limit > 0.0:
                        limit = min(limit / _RELATIVE, 255.9)
                        threshold = int(limit * limit)
    return best_record


@njit(cache=True)
def leave(blocks: Blocks, records: Integers) -> None:
    """Take records out of their blocks: the last of a block moves into each gap."""
    for record in records:
        place = blocks.place[record]
        block, slot = place // SLOTS, place % SLOTS
        last = blocks.counts[block] - 1
        blocks.counts[block] = last
        moved = blocks.records[block, last]
        blocks.records[block, slot] = moved
        blocks.place[moved] = place
        blocks.place[record] = ~place
        near, far = blocks.near.codes[block], blocks.far.codes[block]
        for j in range(near.shape[0]):
            near[j, slot] = near[j, last]
            far[j, slot] = far[j, last]
            blocks.values[block, slot, j] = blocks.values[block, last, j]


@njit(cache=True)
def home_of(places: Integers, record: int) -> int:
    """Return the block in which a record is, or was when it left."""
    place = places[record]
    return max(place, ~place) // SLOTS


@njit(cache=True)
def _encode(cells: CellCodes, point: Floats, code: NDArray[np.int16]) -> float:
    """Write the codes of a point; bound what it and a record miss of the centres of their cells.

    For the nearest the point is first moved into the box of the cells, as records are.
    """
    missed = 0.0
    for j in range(point.shape[0]):
        offset = point[j] - cells.low[j]
        if cells.nearest:
            offset = min(max(offset, 0.0), (cells.most[j] + 1.0) * cells.width)
        cell = min(max(np.floor(offset / cells.width), 0.0), cells.most[j])
        code[j] = np.int16(cell)
        offset -= (cell + 0.5) * cells.width
        missed += offset * offset
    return cells.miss + np.sqrt(missed)


@njit(cache=True)
def _square_codes(codes: Bytes, code: NDArray[np.int16], sums: NDArray[np.uint16]) -> None:
    """Sum the squared differences of the codes of a block to those of a point."""
    sums[:SLOTS] = 0
    for j in range(code.shape[0]):
        x = code[j]
        row = codes[j]
        for i in range(SLOTS):
            away = np.int16(np.int16(row[i]) - x)
            sums[i] = np.uint16(sums[i] + np.uint16(away * away))


@njit(cache=True)
def _gaps(least: Bytes, largest: Bytes, code: NDArray[np.int16], sums: NDArray[np.uint16]) -> None:
    """Sum the squared differences of a point to 256 boxes of codes: to what is closest in them."""
    sums[:SLOTS] = 0
    for j in range(code.shape[0]):
        x = code[j]
        low, high = least[j], largest[j]
        for i in range(SLOTS):
            a = np.int16(np.int16(low[i]) - x)
            b = np.int16(x - np.int16(high[i]))
            away = max(a, b, np.int16(0))
            sums[i] = np.uint16(sums[i] + np.uint16(away * away))


@njit(cache=True)
def _spans(least: Bytes, largest: Bytes, code: NDArray[np.int16], sums: NDArray[np.uint16]) -> None:
    """Sum the squared differences of a point to 256 boxes of codes: to what is farthest in them."""
    sums[:SLOTS] = 0
    for j in range(code.shape[0]):
        x = code[j]
        low, high = least[j], largest[j]
        for i in range(SLOTS):
            a = np.int16(x - np.int16(low[i]))
            b = np.int16(np.int16(high[i]) - x)
            away = max(a, b)
            sums[i] = np.uint16(sums[i] + np.uint16(away * away))


@njit(cache=True)
def _least(sums: NDArray[np.uint16]) -> int:
    found = np.uint16(_MOST)
    for i in range(sums.shape[0]):
        found = min(found, sums[i])
    return int(found)


@njit(cache=True)
def _fold(sums: NDArray[np.uint16], least: bool, folded: NDArray[np.uint16]) -> None:
    """Take the least, or the largest, of every 32nd sum: a few vectors instead of 256 looks."""
    for i in range(folded.shape[0]):
        folded[i] = sums[i]
    for start in range(_LANES, SLOTS, _LANES):
        row = sums[start : start + _LANES]
        if least:
            for i in range(folded.shape[0]):
                folded[i] = min(folded[i], row[i])
        else:
            for i in range(folded.shape[0]):
                folded[i] = max(folded[i], row[i])
