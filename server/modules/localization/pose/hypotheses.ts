import { refined } from './refine.ts'
import type { SeenTag, Sighting } from './sighting.ts'
import { posesOfSquare } from './square.ts'
import { type CameraPose, posesOfThree } from './three-points.ts'
import { cross, difference, length, unit, type Vector } from './vectors.ts'

/** Triples and pairs that are tried, spread over all. */
const MAX_TRIPLES = 150
const MAX_PAIRS = 100
/** The sine of the least angle of a triangle that is not a line. */
const IN_LINE = 0.03

/**
 * Poses from which a camera may see these tags: of each tag with corners, alone and beside each other tag, because a small tag
 * alone says little of the others; and of triples of centres (M. Fischler and R. Bolles, Random Sample Consensus, 1981, with all
 * triples). Undefined if there are none of these.
 */
export function hypothesesOf(tags: readonly SeenTag[]): CameraPose[] | undefined {
  const squares = tags.flatMap(({ sightings }, tag) =>
    sightings.flatMap((sighting) => (sighting.square ? [{ tag, sighting, poses: posesIn(sighting) }] : [])),
  )
  const triples = [...triplesOf(tags)]
  if (squares.length === 0 && triples.length === 0) return undefined
  const pairs = squares.flatMap(({ tag, sighting, poses }) =>
    tags.flatMap(({ sightings }, other) =>
      other === tag ? [] : sightings.map((beside) => ({ sighting, beside, poses })),
    ),
  )
  return [
    ...squares.flatMap(({ poses }) => poses),
    ...spread(pairs, MAX_PAIRS).flatMap(({ sighting, beside, poses }) =>
      poses.flatMap((pose) => refined(pose, [sighting, beside])?.pose ?? []),
    ),
    ...spread(triples, MAX_TRIPLES).flatMap(([a, b, c]) =>
      posesOfThree([a.point, b.point, c.point], [direction(a), direction(b), direction(c)]),
    ),
  ]
}

const posesIn = (sighting: Sighting): CameraPose[] =>
  posesOfSquare(sighting.point, sighting.square!.offsets, sighting.square!.seen).flatMap(
    (pose) => refined(pose, [sighting])?.pose ?? [],
  )

const spread = <Value>(all: readonly Value[], most: number): Value[] => {
  const step = Math.ceil(all.length / most)
  return all.filter((_, at) => at % step === 0)
}

function* triplesOf(tags: readonly SeenTag[]): Generator<[Sighting, Sighting, Sighting]> {
  for (let i = 0; i < tags.length; i++)
    for (let j = i + 1; j < tags.length; j++)
      for (let k = j + 1; k < tags.length; k++)
        for (const a of tags[i]!.sightings)
          for (const b of tags[j]!.sightings)
            for (const c of tags[k]!.sightings) if (isTriangle(a.point, b.point, c.point)) yield [a, b, c]
}

function isTriangle(a: Vector, b: Vector, c: Vector): boolean {
  const sides = [difference(b, a), difference(c, b), difference(a, c)] as const
  if (sides.some((side) => length(side) < 1e-3)) return false
  const sines = sides.map((side, at) => length(cross(unit(side), unit(sides[(at + 1) % 3]!))))
  return Math.min(...sines) > IN_LINE
}

const direction = ({ seen: [x, y] }: Sighting): Vector => [x, y, 1]
