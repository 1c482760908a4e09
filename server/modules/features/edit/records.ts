import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { HttpError, type Issue, invalid } from '../../../platform/errors.ts'
import { validator } from '../../../platform/http/validation.ts'
import type { CollectionId } from '../schema.ts'
import type { Content, Geometry } from './feature-input.ts'

/** A record of the API, as its operations take it. */
export type RecordInput = Record<string, unknown>

const coordinatesOf = (geometry: Geometry | null) =>
  geometry ? (geometry.coordinates as [lon: number, lat: number, h?: number]) : undefined

/** The pose at a point; angles that are not given are zero. */
function poseOf([lon, lat, h]: [number, number, number?], { yaw, pitch, roll }: RecordInput) {
  return {
    position: { lat, lon, ...(h !== undefined && { h }) },
    angles: { yaw: yaw ?? 0, pitch: pitch ?? 0, roll: roll ?? 0 },
  }
}

const noHeight = () => {
  const message =
    'a pin with yaw, pitch or roll needs a height: add it to the coordinates, in metres above the ellipsoid'
  return invalid([{ code: 'custom', message, path: ['geometry', 'coordinates'] }])
}

/** A pin without a height and angles has coordinates alone. */
function pinOf({ geometry, properties }: Content): RecordInput {
  const { trackingMode, worldmapURL, yaw, pitch, roll, ...rest } = properties
  const at = coordinatesOf(geometry)
  const isPosed = at?.[2] !== undefined || [yaw, pitch, roll].some((angle) => angle !== null)
  if (isPosed && at && at[2] === undefined) throw noHeight()
  const place =
    isPosed && at
      ? { geoPose: poseOf(at, properties) }
      : { longitude: at?.[0] ?? null, latitude: at?.[1] ?? null, geoPose: null }
  const localizationData = trackingMode === null && worldmapURL === null ? null : { trackingMode, worldmapURL }
  return { ...rest, localizationData, ...place }
}

function gcpOf({ geometry, properties }: Content): RecordInput {
  const { yaw, pitch, roll, photoUrls, ...rest } = properties
  const at = coordinatesOf(geometry)
  return { ...rest, photoUrls: photoUrls ?? [], geoPose: at ? poseOf(at, properties) : null }
}

const zoneOf = ({ geometry, properties }: Content): RecordInput => ({ ...properties, boundary: geometry })

/** The record that a feature shows. */
export const recordOf: Record<CollectionId, (content: Content) => RecordInput> = {
  pins: pinOf,
  gcps: gcpOf,
  zones: zoneOf,
}

/** Members that only mean something together. */
const TOGETHER: Record<CollectionId, string[]> = {
  pins: [],
  gcps: ['geoPose', 'altitude', 'heightDatum'],
  zones: [],
}
/** What is set on creation only. */
const FIXED: Record<CollectionId, string[]> = { pins: [], gcps: ['gcpType', 'zoneId'], zones: [] }

/**
 * What of a record is to change: what is as before is left out, so that it need not fit today's rules. @throws 400 for
 * what never changes
 */
export function changeOf(collection: CollectionId, before: RecordInput, next: RecordInput): RecordInput {
  const differs = (name: string) => !isDeepStrictEqual(before[name], next[name])
  const fixed = FIXED[collection].find((name) => next[name] !== null && differs(name))
  if (fixed !== undefined) {
    const message = `cannot be changed: it is ${JSON.stringify(before[fixed])}`
    throw invalid([{ code: 'custom', message, path: ['properties', fixed] }])
  }
  const together = TOGETHER[collection].some(differs) ? TOGETHER[collection] : []
  const free = Object.keys(next).filter((name) => !FIXED[collection].includes(name))
  const names = free.filter((name) => name === 'title' || differs(name) || together.includes(name))
  return Object.fromEntries(names.map((name) => [name, next[name]]))
}

/** Where a fault in a record is in its feature. */
function placeOf([first, ...rest]: Issue['path']): Issue['path'] {
  if (first === 'geometry' || first === 'properties') return [first, ...rest]
  if (first === 'boundary') return ['geometry', ...rest]
  if (first === 'latitude' || first === 'longitude') return ['geometry']
  if (first === 'geoPose') return rest[0] === 'angles' ? ['properties', ...rest.slice(1)] : ['geometry']
  if (first === 'localizationData') return ['properties', rest[0] ?? 'trackingMode']
  return first === undefined ? [] : ['properties', first, ...rest]
}

/** Runs a write of a record; the faults that it names are then those of the feature. */
export async function withFeaturePaths<Made>(write: () => Promise<Made>): Promise<Made> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof HttpError) || !Array.isArray(error.error)) throw error
    const issues = error.error.map((issue) => ({ ...issue, path: placeOf(issue.path) }))
    throw new HttpError(error.status, issues, error.headers)
  }
}

/** @throws 400 */
export function validated<Schema extends z.ZodType>(schema: Schema, record: RecordInput): z.infer<Schema> {
  const result = validator({ schema })(record)
  if ('error' in result) throw result.error
  return result.value as z.infer<Schema>
}
