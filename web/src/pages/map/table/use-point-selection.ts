import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { keyOf } from '../url-state.ts'
import type { Point } from './points.ts'

/** The points that are selected in the table. Those that are no longer listed are not selected. @param points in the order of the table */
export function usePointSelection(points: Point[]) {
  const [names, setNames] = useState<ReadonlySet<string>>(new Set())
  /** Where a range begins. */
  const anchor = useRef<string>(null)
  const selected = useMemo(
    () => (names.size === 0 ? [] : points.filter((point) => names.has(keyOf(point)))),
    [points, names],
  )
  const setAll = useCallback((all: Point[]) => setNames(new Set(all.map(keyOf))), [])

  /** The points on the screen: an interrupted rendering may have had others. */
  const listed = useRef(points)
  useLayoutEffect(() => {
    listed.current = points
  }, [points])

  /** Selects a point or takes it out. It is stable. @param isRange does the same with all between it and the one before */
  const toggle = useCallback((point: Point, isRange: boolean) => {
    const all = listed.current
    const name = keyOf(point)
    const at = all.findIndex((one) => keyOf(one) === name)
    const from = isRange ? all.findIndex((one) => keyOf(one) === anchor.current) : -1
    const range = from === -1 || at === -1 ? [point] : all.slice(Math.min(from, at), Math.max(from, at) + 1)
    anchor.current = name
    setNames((names) => {
      const isOn = !names.has(name)
      const next = new Set(names)
      for (const one of range) {
        if (isOn) next.add(keyOf(one))
        else next.delete(keyOf(one))
      }
      return next
    })
  }, [])
  return { selected, isSelected: (point: Point) => names.has(keyOf(point)), toggle, setAll }
}

export type PointSelection = ReturnType<typeof usePointSelection>
