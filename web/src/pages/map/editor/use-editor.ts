import type { Gcp, Pin, Zone } from '@cairn/sdk'
import type { Map as MapLibre } from 'maplibre-gl'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Place } from '../../../map/geodesic.ts'
import { placeOfGcp } from '../layers/spots.ts'
import type { Selected } from '../selection/use-selection.ts'
import { wrapPlace } from './coordinates.ts'
import { useBoundary } from './use-boundary.ts'

/** The item being edited; null for a new one. */
export type EditorTask =
  | { kind: 'pin'; pin: Pin | null }
  | { kind: 'gcp'; gcp: Gcp | null }
  | { kind: 'zone'; zone: Zone | null }

/** The open form and the state it shares with the map: location, yaw and boundary. */
export function useEditor(map: MapLibre | null, point: Place | null) {
  const [task, setTask] = useState<EditorTask | null>(null)
  const [place, setPlace] = useState<Place | null>(null)
  const [yaw, setYaw] = useState<number | null>(null)
  const boundary = useBoundary()
  const { start } = boundary
  const opener = useRef<Element>(null)
  useEffect(() => {
    if (task || !opener.current) return
    focusBack(opener.current)
    opener.current = null
  }, [task])

  const begin = useCallback(
    (next: EditorTask, at: Place | null, heading: number | null) => {
      opener.current = document.activeElement
      setTask(next)
      setPlace(at)
      setYaw(heading)
      start(next.kind === 'zone' ? next.zone?.boundary : null)
    },
    [start],
  )
  const make = useCallback(
    (kind: EditorTask['kind']) => {
      const middle = point ?? (map ? wrapPlace(map.getCenter()) : null)
      if (kind === 'pin') begin({ kind, pin: null }, middle, null)
      else if (kind === 'gcp') begin({ kind, gcp: null }, middle, null)
      else begin({ kind, zone: null }, null, null)
    },
    [begin, map, point],
  )
  const edit = useCallback(
    ({ pin, gcp, zone }: Pick<Partial<Selected>, 'pin' | 'gcp' | 'zone'>) => {
      const pose = (pin ?? gcp?.pin)?.geoPose
      const heading = pose?.angles.yaw ?? null
      if (pin?.latitude != null) begin({ kind: 'pin', pin }, { lat: pin.latitude, lon: pin.longitude! }, heading)
      else if (pin) begin({ kind: 'pin', pin }, null, heading)
      else if (gcp) begin({ kind: 'gcp', gcp }, placeOfGcp(gcp), heading)
      else if (zone) begin({ kind: 'zone', zone }, null, null)
    },
    [begin],
  )
  /** Handles a map click while a form is open. */
  const press = (at: Place) => {
    if (task?.kind === 'zone') boundary.add(at)
    else setPlace(at)
  }
  const end = () => setTask(null)
  return { task, place, setPlace, yaw, setYaw, boundary, press, make, edit, end }
}

/** Returns the focus to the element that opened the form, its replacement, or the selected row. */
function focusBack(opener: Element) {
  const isThere = opener.isConnected && opener !== document.body
  const now = ['[data-edit]', '[data-row][aria-current="true"]'].flatMap((name) => document.querySelector(name) ?? [])
  const back = isThere ? opener : now[0]
  if (back instanceof HTMLElement) back.focus()
}

export type EditorState = ReturnType<typeof useEditor>
