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

/** The boundary that is drawn: written as a text, changed by the map too. The ring that was touched last is the one that grows. */
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
    /** Somebody is at a line of the text. */
    touchLine: (line: number) => touch(rings.findLast(({ from }) => from <= line) ?? active),
    add: (at: Place) => setText(addCorner(text, active, at)),
    move: (ring: Ring, corner: Corner, to: Place) => {
      touch(ring)
      setText(moveCorner(text, corner, to))
    },
    /** Holes lie in the area of the ring that was touched last. Nothing begins before that has three corners. */
    canBegin: active.corners.length >= 3,
    begin: (part: Part) => {
      const next = addPart(text, rings, active, part)
      setText(next.text)
      setTouched(next.ring)
    },
    canRemove: active.corners.length > 0 || (rings.length > 1 && isLastOfArea(rings, active)),
    /** Without corners the ring itself goes. */
    removeLast: () => {
      setText(removeLastCorner(text, active))
      if (active.corners.length === 0) setTouched(Math.max(0, rings.indexOf(active) - 1))
    },
  }
}

/** Whether no hole follows, which would come to lie in the area before. */
const isLastOfArea = (rings: Ring[], ring: Ring) => ring.hole > 0 || rings[rings.indexOf(ring) + 1]?.area !== ring.area

export type BoundaryState = ReturnType<typeof useBoundary>
