import type { Boundary, Ring } from '../schema.ts'
import { crossingFault } from './ring-crossings.ts'
import { nestingFault } from './ring-nesting.ts'
import { isSame, polygons, type ShapeFault } from './rings.ts'

const MAX_POSITIONS = 10_000

/**
 * Returns the first fault of a boundary by RFC 7946 §3.1.6 and §3.1.9 and the OGC's Simple Features (06-103r4 §6.1.11):
 * rings are closed, have at least four positions in range, are cut at 180°, and do not cross, touch or repeat
 * themselves; holes lie inside their outer ring and beside each other; polygons do not overlap. Ring direction and
 * repeated positions are accepted. Yields to the event loop.
 */
export async function shapeFault(boundary: Boundary): Promise<ShapeFault | undefined> {
  let positions = 0
  for (const { rings, path } of polygons(boundary)) {
    for (const [i, ring] of rings.entries()) {
      positions += ring.length
      if (positions > MAX_POSITIONS)
        return {
          message: `a boundary can have at most ${MAX_POSITIONS} positions: simplify it (a metre is 0.00001 degrees)`,
          path,
        }
      const fault = ringFault(ring)
      if (fault) return { message: fault.message, path: [...path, i, ...fault.path] }
    }
  }
  return (await crossingFault(boundary)) ?? (await nestingFault(boundary))
}

function ringFault(ring: Ring): ShapeFault | undefined {
  if (ring.length < 4) return { message: 'a ring needs at least four positions, the last equal to the first', path: [] }
  for (const [i, [longitude, latitude]] of ring.entries()) {
    const fault = rangeFault(longitude!, latitude!)
    if (fault) return { message: fault.message, path: [i, ...fault.path] }
  }
  const last = ring.length - 1
  if (!isSame(ring[0]!, ring[last]!))
    return { message: 'a ring must be closed: repeat the first position at the end', path: [last] }
  return jumpFault(ring) ?? distinctFault(ring)
}

function rangeFault(longitude: number, latitude: number): ShapeFault | undefined {
  const order = 'positions are degrees, longitude first, then latitude'
  if (!(Math.abs(latitude) <= 90)) return { message: `latitude ${latitude} is outside -90..90: ${order}`, path: [1] }
  if (Math.abs(longitude) <= 180) return undefined
  const fix = Math.abs(longitude) <= 540 ? 'cut the boundary at 180° into two polygons of a MultiPolygon' : order
  return { message: `longitude ${longitude} is outside -180..180: ${fix}`, path: [0] }
}

/**
 * RFC 7946 reads a line from 179 to −179 as the long way round the earth, which is hardly ever meant. From −180 to 180
 * it is.
 */
function jumpFault(ring: Ring): ShapeFault | undefined {
  for (let i = 1; i < ring.length; i++) {
    const [from, to] = [ring[i - 1]![0]!, ring[i]![0]!]
    const width = Math.abs(to - from)
    if (width > 180 && width < 360)
      return {
        message: `the line from longitude ${from} to ${to} goes more than halfway round the earth: cut a boundary across 180° into two polygons of a MultiPolygon, one ending at 180, one beginning at -180 (RFC 7946 §3.1.9); if the long way is meant, add a position in between`,
        path: [i],
      }
  }
  return undefined
}

function distinctFault(ring: Ring): ShapeFault | undefined {
  const distinct = new Set<string>()
  for (const [longitude, latitude] of ring) {
    distinct.add(`${longitude! + 0} ${latitude! + 0}`)
    if (distinct.size === 3) return undefined
  }
  return { message: `a ring needs at least three different positions; this one has ${distinct.size}`, path: [] }
}
