import type { Zone } from '@cairn/sdk'
import { useMemo } from 'react'
import { formatNumber } from '../../components/data/format.ts'
import { distanceOf, type Place } from '../../map/geodesic.ts'
import { messages } from '../../messages/index.ts'
import type { ListedSpot, Spot } from './layers/spot.ts'
import { isWithin } from './layers/spots.ts'
import { usePendingDeletions } from './pending-deletions.ts'
import { keyOf, type Layer } from './url-state.ts'
import type { MapData } from './use-map-data.ts'
import type { UrlState } from './use-url-state.ts'
import { type Box, boxOfZone, isInBox, type Viewport } from './use-viewport.ts'

const NONE: never[] = []
/** A view with more features is drawn from tiles, and they are not counted. */
const COUNTED = 5000

/** The items to draw and list: those of visible layers, without pending deletions. */
export function useVisible(data: MapData, { point, radius, layers }: UrlState, view: Viewport | null) {
  const hidden = usePendingDeletions()
  const { nearest } = data
  const isOn = (layer: Layer) => layers.includes(layer)
  const [hasPins, hasGcps, hasZones, hasScans] = [isOn('pins'), isOn('gcps'), isOn('zones'), isOn('scans')]

  // Private pins are only in the list. The array stays stable so that the map is not redrawn.
  const known = useMemo(() => new Set(data.pins.data?.spots.map(({ id }) => id)), [data.pins.data])
  const listedAlone = useMemo((): Spot[] => {
    const isTiled = data.pins.data?.isPart ?? true
    const isMissing = ({ kind, id, isPrivate }: Spot) => kind === 'pin' && (isTiled ? isPrivate : !known.has(id))
    const spots = (nearest ?? NONE).filter(isMissing)
    return spots.length > 0 ? spots : NONE
  }, [nearest, known, data.pins.data])
  const allPins = useMemo(() => {
    const spots = [...(data.pins.data?.spots ?? NONE), ...listedAlone]
    return hidden.size === 0 ? spots : spots.filter((spot) => !hidden.has(keyOf(spot)))
  }, [data.pins.data, listedAlone, hidden])
  const allGcps = useMemo(
    () => (data.gcps.data?.spots ?? NONE).filter((spot) => !hidden.has(keyOf(spot))),
    [data.gcps.data, hidden],
  )
  const allScans: Spot[] = data.scans.data ?? NONE
  const isInside = useMemo(() => {
    const { box } = view ?? {}
    return (spot: Spot) => (point ? isWithin(spot, point, radius) : box !== undefined && isInBox(spot, box))
  }, [point, radius, view])

  const list = useMemo((): ListedSpot[] | undefined => {
    const middle = point ?? view?.middle
    if (!nearest || !middle) return undefined
    const kept = nearest.filter((spot) => (spot.kind === 'pin' ? hasPins : hasGcps) && !hidden.has(keyOf(spot)))
    if (!hasScans) return kept
    const scans = allScans.filter(isInside).map((scan) => ({ ...scan, distance: distanceOf(middle, scan) }))
    return [...kept, ...scans].sort((a, b) => a.distance - b.distance)
  }, [nearest, hasPins, hasGcps, hasScans, allScans, isInside, hidden, point, view])

  const zones = data.zones.data ?? NONE
  const zonesInView = useMemo(
    () => zones.filter(({ boundary }) => !boundary || (view !== null && isZoneInBox(boundary, view.box))),
    [zones, view],
  )
  const conflicts = useMemo(
    () =>
      (data.conflicts.data ?? NONE).filter(
        ({ gcps }) => !gcps.some((gcp) => hidden.has(keyOf({ kind: 'gcp', id: gcp.id }))),
      ),
    [data.conflicts.data, hidden],
  )
  const bad = useMemo(
    () => new Set(conflicts.flatMap(({ gcps }) => gcps.map(({ id }) => keyOf({ kind: 'gcp', id })))),
    [conflicts],
  )
  const counts = useMemo(() => {
    const counted = (spots: Spot[], isPart: boolean | undefined) => {
      return isPart ? messages.map.list.atLeast(formatNumber(COUNTED)) : formatNumber(spots.filter(isInside).length)
    }
    return {
      ...(data.pins.data ? { pins: counted(allPins, data.pins.data.isPart) } : {}),
      ...(data.gcps.data ? { gcps: counted(allGcps, data.gcps.data.isPart) } : {}),
      ...(data.zones.data ? { zones: zonesInView.length } : {}),
      ...(data.scans.data ? { scans: counted(allScans, false) } : {}),
    }
  }, [
    data.pins.data,
    data.gcps.data,
    data.zones.data,
    data.scans.data,
    allPins,
    allGcps,
    allScans,
    zonesInView,
    isInside,
  ])

  const all = useMemo((): Place[] | undefined => {
    const [pins, gcps, extent] = [data.pins.data, data.gcps.data, data.extent.data]
    if (!pins || !gcps) return undefined
    const spots = [...pins.spots, ...gcps.spots]
    if (!pins.isPart && !gcps.isPart) return spots
    if (!extent) return undefined
    return [...spots, { lat: extent.south, lon: extent.west }, { lat: extent.north, lon: extent.east }]
  }, [data.pins.data, data.gcps.data, data.extent.data])
  return {
    pins: hasPins ? allPins : NONE,
    gcps: hasGcps ? allGcps : NONE,
    scans: hasScans ? allScans : NONE,
    zones: hasZones ? zones : NONE,
    conflicts: hasGcps ? conflicts : NONE,
    has: { pins: hasPins, gcps: hasGcps },
    // Also until it is known, so that there is something to see at once.
    tiles: { pins: data.pins.data?.isPart ?? true, gcps: data.gcps.data?.isPart ?? true },
    ...{ zonesInView, list, bad, counts, all },
  }
}

export type Visible = ReturnType<typeof useVisible>

function isZoneInBox(boundary: NonNullable<Zone['boundary']>, box: Box): boolean {
  const { west, south, east, north } = boxOfZone(boundary)
  return west <= box.east && east >= box.west && south <= box.north && north >= box.south
}
