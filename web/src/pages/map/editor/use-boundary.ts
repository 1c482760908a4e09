import { useCallback, useMemo, useState } from 'react'
import type { Place } from '../../../map/geodesic.ts'
import {
  addCorner,
  addPart,
  type Corner,
  formatBoundary,
  moveCorner,
  type Part,
  parseRings,
  type Ring,
  removeLastCorner,
} from './boundary-text.ts'

/** The boundary being edited, as text. Map clicks extend the active ring, which was touched last. */
export function useBoundary() {
  const [text, setText] = useState('')
  const [touched, setTouched] = useState(0)
  const { rings, wrongLine } = useMemo(() => parseRings(text), [text])
  const active = rings[Math.min(touched, rings.length - 1)]!
  const touch = (ring: Ring) => setTouched(rings.indexOf(ring))
  const start = useCallback((boundary: Parameters<typeof formatBoundary>[0]) => {
    setText(formatBoundary(boundary))
    setTouched(0)
  }, [])
  return {
    text,
    rings,
    wrongLine,
    active,
    start,
    write: setText,
    touch,
    /** Activates the ring at a line of the text. */
    touchLine: (line: number) => touch(rings.findLast(({ from }) => from <= line) ?? active),
    add: (at: Place) => setText(addCorner(text, active, at)),
    move: (ring: Ring, corner: Corner, to: Place) => {
      touch(ring)
      setText(moveCorner(text, corner, to))
    },
    /** A hole is added to the active ring's area. The active ring must be complete first. */
    canBegin: active.corners.length >= 3,
    begin: (part: Part) => {
      const next = addPart(text, rings, active, part)
      setText(next.text)
      setTouched(next.ring)
    },
    canRemove: active.corners.length > 0 || (rings.length > 1 && isLastOfArea(rings, active)),
    /** Removes the last corner, or the ring if it is empty. */
    removeLast: () => {
      setText(removeLastCorner(text, active))
      if (active.corners.length === 0) setTouched(Math.max(0, rings.indexOf(active) - 1))
    },
  }
}

/** Removing an outer ring with holes would move its holes to the previous area. */
const isLastOfArea = (rings: Ring[], ring: Ring) => ring.hole > 0 || rings[rings.indexOf(ring) + 1]?.area !== ring.area

export type BoundaryState = ReturnType<typeof useBoundary>
