import Flatbush from 'flatbush'

/** Boxes that follow each other are tested together first: lines of a ring that follow each other are close. */
const RUN = 16
/** A few times what an ordinary boundary takes. In a spiral, each run overlaps most others: an index of the boxes is faster then. */
const MAX_TESTED_A_BOX = 64

/**
 * Finds overlaps among boxes; touching counts. Their order is that of the lines of rings. @param boxes west, south, east
 * and north of each @returns a function that calls `each` with the boxes after `i` that overlap it, in order, until that
 * returns false. Ask for them in order: the boxes near a run are found once.
 */
export function boxOverlaps(boxes: Float64Array): (i: number, each: (j: number) => boolean) => void {
  const count = boxes.length / 4
  const runs = boxesOfRuns(boxes)
  let run = -1
  let near: number[] = []
  let tested = 0
  let index: Flatbush | undefined
  return (i, each) => {
    if (tested > MAX_TESTED_A_BOX * count) {
      index ??= indexOf(boxes)
      const [west, south, east, north] = [boxes[4 * i]!, boxes[4 * i + 1]!, boxes[4 * i + 2]!, boxes[4 * i + 3]!]
      for (const j of index.search(west, south, east, north, (j) => j > i).sort((a, b) => a - b)) if (!each(j)) return
      return
    }
    if (run !== Math.floor(i / RUN)) {
      run = Math.floor(i / RUN)
      near = []
      for (let other = run; other < runs.length / 4; other++) if (overlap(runs, run, runs, other)) near.push(other)
    }
    for (const other of near) {
      if (!overlap(boxes, i, runs, other)) continue
      const end = Math.min(count, (other + 1) * RUN)
      tested += RUN
      for (let j = Math.max(i + 1, other * RUN); j < end; j++) if (overlap(boxes, i, boxes, j) && !each(j)) return
    }
  }
}

function indexOf(boxes: Float64Array): Flatbush {
  const index = new Flatbush(boxes.length / 4)
  for (let at = 0; at < boxes.length; at += 4) index.add(boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!)
  index.finish()
  return index
}

function boxesOfRuns(boxes: Float64Array): Float64Array {
  const runs = new Float64Array(4 * Math.ceil(boxes.length / 4 / RUN))
  for (let at = 0; at < runs.length; at += 4) {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
    for (let i = at * RUN; i < Math.min(boxes.length, (at + 4) * RUN); i += 4) {
      west = Math.min(west, boxes[i]!)
      south = Math.min(south, boxes[i + 1]!)
      east = Math.max(east, boxes[i + 2]!)
      north = Math.max(north, boxes[i + 3]!)
    }
    runs.set([west, south, east, north], at)
  }
  return runs
}

const overlap = (a: Float64Array, i: number, b: Float64Array, j: number): boolean =>
  a[4 * i]! <= b[4 * j + 2]! &&
  b[4 * j]! <= a[4 * i + 2]! &&
  a[4 * i + 1]! <= b[4 * j + 3]! &&
  b[4 * j + 1]! <= a[4 * i + 3]!
