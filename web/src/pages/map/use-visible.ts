import type { Zone } from '@cairn/sdk'
import { useMemo } from 'react'
import { formatNumber } from '../../components/data/format.ts'
import { distanceOf } from '../../map/geodesic.ts'
import { messages } from '../../messages/index.ts'
import { type FoundSpot, isWithin, type Spot } from './layers/spots.ts'
import { useHidden } from './pending-deletions.ts'
import { type Layer, nameOf } from './url-state.ts'
import type { Things } from './use-map-data.ts'
import type { Address } from './use-url-state.ts'
import { type Box, boxOfZone, isInBox, type View } from './use-viewport.ts'

const NONE: never[] = []

/** What of the things is drawn and listed: by the layers that are on, without what was just removed. */
export function useShown(things: Things, { point, radius, layers }: Address, view: View | null) {
  const hidden = useHidden()
  const { nearest } = things
  const isOn = (layer: Layer) => layers.includes(layer)
  const [hasPins, hasGcps, hasZones, hasScans] = [isOn('pins'), isOn('gcps'), isOn('zones'), isOn('scans')]

  // Private pins are in the list alone. Where it has none, a new list leaves what is drawn as it is.
  const known = useMemo(() => new Set(things.pins.data?.spots.map(({ id }) => id)), [things.pins.data])
  const listedAlone = useMemo((): Spot[] => {
    const spots = (nearest ?? NONE).filter(({ kind, id }) => kind === 'pin' && !known.has(id))
    return spots.length > 0 ? spots : NONE
  }, [nearest, known])
  const allPins = useMemo(() => {
    const spots = [...(things.pins.data?.spots ?? NONE), ...listedAlone]
    return hidden.size === 0 ? spots : spots.filter((spot) => !hidden.has(nameOf(spot)))
  }, [things.pins.data, listedAlone, hidden])
  const allGcps = useMemo(
    () => (things.gcps.data?.spots ?? NONE).filter((spot) => !hidden.has(nameOf(spot))),
    [things.gcps.data, hidden],
  )
  const allScans: Spot[] = things.scans.data ?? NONE
  const isInside = useMemo(() => {
    const { box } = view ?? {}
    return (spot: Spot) => (point ? isWithin(spot, point, radius) : box !== undefined && isInBox(spot, box))
  }, [point, radius, view])

  const list = useMemo((): FoundSpot[] | undefined => {
    const middle = point ?? view?.middle
    if (!nearest || !middle) return undefined
    const kept = nearest.filter((spot) => (spot.kind === 'pin' ? hasPins : hasGcps) && !hidden.has(nameOf(spot)))
    if (!hasScans) return kept
    const scans = allScans.filter(isInside).map((scan) => ({ ...scan, distance: distanceOf(middle, scan) }))
    return [...kept, ...scans].sort((a, b) => a.distance - b.distance)
  }, [nearest, hasPins, hasGcps, hasScans, allScans, isInside, hidden, point, view])

  const zones = things.zones.data ?? NONE
  const zonesInView = useMemo(
    () => zones.filter(({ boundary }) => !boundary || (view !== null && isZoneInBox(boundary, view.box))),
    [zones, view],
  )
  const conflicts = useMemo(
    () =>
      (things.conflicts.data ?? NONE).filter(
        ({ gcps }) => !gcps.some((gcp) => hidden.has(nameOf({ kind: 'gcp', id: gcp.id }))),
      ),
    [things.conflicts.data, hidden],
  )
  const bad = useMemo(
    () => new Set(conflicts.flatMap(({ gcps }) => gcps.map(({ id }) => nameOf({ kind: 'gcp', id })))),
    [conflicts],
  )
  const counts = useMemo(() => {
    const counted = (spots: Spot[], isPart: boolean | undefined) => {
      const count = formatNumber(spots.filter(isInside).length)
      return isPart ? messages.map.list.atLeast(count) : count
    }
    return {
      ...(things.pins.data ? { pins: counted(allPins, things.pins.data.isPart) } : {}),
      ...(things.gcps.data ? { gcps: counted(allGcps, things.gcps.data.isPart) } : {}),
      ...(things.zones.data ? { zones: zonesInView.length } : {}),
      ...(things.scans.data ? { scans: counted(allScans, false) } : {}),
    }
  }, [
    things.pins.data,
    things.gcps.data,
    things.zones.data,
    things.scans.data,
    allPins,
    allGcps,
    allScans,
    zonesInView,
    isInside,
  ])

  const all = useMemo(
    () => (things.pins.data && things.gcps.data ? [...things.pins.data.spots, ...things.gcps.data.spots] : undefined),
    [things.pins.data, things.gcps.data],
  )
  return {
    pins: hasPins ? allPins : NONE,
    gcps: hasGcps ? allGcps : NONE,
    scans: hasScans ? allScans : NONE,
    zones: hasZones ? zones : NONE,
    conflicts: hasGcps ? conflicts : NONE,
    ...{ zonesInView, list, bad, counts, all },
  }
}

function isZoneInBox(boundary: NonNullable<Zone['boundary']>, box: Box): boolean {
  const { west, south, east, north } = boxOfZone(boundary)
  return west <= box.east && east >= box.west && south <= box.north && north >= box.south
}
