import type { Feature, LocatedPin, Pin, Zone } from '@cairn/sdk'
import { currentLocale } from '../../../language/language.ts'
import { messages } from '../../../messages/index.ts'
import type { Column, Sort } from './table-search.ts'

/** A pin or a control point in the table. */
export type Point = {
  kind: 'pin' | 'gcp'
  id: string
  title: string
  /** The content type of a pin. */
  content: Pin['contentType'] | null
  /** The AprilTag of a control point. */
  tag: number | null
  ownerId: string | null
  zone: { id: number; title: string } | null
  lat: number
  lon: number
  /** Metres above the ellipsoid. */
  height: number | null
  /** Metres, horizontally, as the survey of a control point stated it. */
  accuracy: number | null
  /** Null for control points, which everyone finds. */
  visibility: Pin['visibility'] | null
  updatedAt: string
  /** Metres from the search point or the middle of the map. */
  distance: number
}

/** The points of located pins. A pin of a control point is shown as the control point. @param gcps features of control points */
export function pointsFrom(pins: LocatedPin[], gcps: Feature[], zones: Zone[]): Point[] {
  const titles = new Map(zones.map(({ id, title }) => [id, title]))
  const zoneOf = (id: unknown) => (typeof id === 'number' ? { id, title: titles.get(id) ?? String(id) } : null)
  const known = new Map(gcps.map(({ id, properties }) => [Number(id), properties as Record<string, unknown>]))
  return pins.flatMap((pin): Point[] => {
    const shared = {
      ...{ lat: pin.latitude, lon: pin.longitude, distance: pin.distance, ownerId: pin.userId },
      height: pin.geoPose?.position.h ?? null,
    }
    if (pin.gcpId === null)
      return [
        {
          ...{ kind: 'pin', id: String(pin.id), title: pin.title, content: pin.contentType, tag: null },
          ...{ zone: zoneOf(pin.zoneId), visibility: pin.visibility, updatedAt: pin.updatedAt },
          accuracy: null,
          ...shared,
        },
      ]
    const gcp = known.get(pin.gcpId)
    if (!gcp) return []
    return [
      {
        ...{ kind: 'gcp', id: String(pin.gcpId), title: String(gcp.title), content: null },
        accuracy: typeof gcp.accuracyH === 'number' ? gcp.accuracyH : null,
        tag: typeof gcp.aprilTagId === 'number' ? gcp.aprilTagId : null,
        ...{ zone: zoneOf(gcp.zoneId), visibility: null, updatedAt: String(gcp.updatedAt) },
        ...shared,
      },
    ]
  })
}

/** What kind of point it is, in words. */
export const kindOf = ({ kind, content }: Point): string =>
  kind === 'gcp' ? messages.map.table.gcp : (messages.map.contents[content ?? ''] ?? content ?? '')

type Filter = { find: string; kind: string | undefined; ownerId: string | undefined }

/** The points whose title, zone, kind or tag contains each of the words. */
export function filtered(points: Point[], { find, kind, ownerId }: Filter): Point[] {
  const words = find.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return points.filter((point) => {
    if (kind !== undefined && kind !== (point.content ?? 'gcp')) return false
    if (ownerId !== undefined && point.ownerId !== ownerId) return false
    if (words.length === 0) return true
    const text = [point.title, point.zone?.title, kindOf(point), point.tag].join(' ').toLocaleLowerCase()
    return words.every((word) => text.includes(word))
  })
}

type Key = string | number | null

const keys: { [Name in Column]: (point: Point) => Key } = {
  distance: ({ distance }) => distance,
  title: ({ title }) => title,
  kind: kindOf,
  tag: ({ tag }) => tag,
  zone: ({ zone }) => zone?.title ?? null,
  height: ({ height }) => height,
  accuracy: ({ accuracy }) => accuracy,
  updated: ({ updatedAt }) => updatedAt,
}

/** Points in the order of a column. Those without a value come last in both directions; equal ones stay nearest first. */
export function sorted(points: Point[], sort: Sort): Point[] {
  const keyOf = keys[sort.replace('-', '') as Column]
  const sign = sort.startsWith('-') ? -1 : 1
  const { compare } = new Intl.Collator(currentLocale(), { numeric: true })
  const order = (a: Key, b: Key): number => {
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * (typeof a === 'string' ? compare(a, String(b)) : a - Number(b))
  }
  return points
    .map((point) => ({ point, key: keyOf(point) }))
    .sort((a, b) => order(a.key, b.key) || a.point.distance - b.point.distance)
    .map(({ point }) => point)
}
