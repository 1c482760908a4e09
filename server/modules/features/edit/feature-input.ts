import { z } from 'zod'
import { invalid } from '../../../platform/errors.ts'
import { Boundary } from '../../zones/schema.ts'
import { properties } from '../query/properties.ts'
import type { CollectionId } from '../schema.ts'
import { REQUIRED } from './receivables.ts'

const Point = z.object({ type: z.literal('Point'), coordinates: z.array(z.number()).min(2).max(3) }).meta({
  id: 'FeaturePoint',
})
const Properties = z.record(z.string(), z.unknown()).nullish()
const geometries = { pins: Point, gcps: Point, zones: Boundary }

/** A whole feature in a request; `id` and other members are ignored. */
export const featureInput = (collection: CollectionId) =>
  z.object({
    type: z.literal('Feature'),
    geometry: geometries[collection].nullish().describe('GeoJSON, longitude before latitude'),
    properties: Properties.describe(`As in \`/ogc/collections/${collection}/schema\`; read-only ones are ignored`),
  })

/** A JSON merge patch of a feature (RFC 7396). */
export const FeaturePatch = z.object({
  geometry: z.record(z.string(), z.unknown()).nullish().describe('GeoJSON; replaces the geometry'),
  properties: Properties.describe('Absent properties are unchanged; `null` clears'),
})
export type FeaturePatch = z.infer<typeof FeaturePatch>

export type Geometry = { type: string; coordinates: unknown }
/** What a feature is to be: every property that may be set, absent ones as null. */
export type Content = { geometry: Geometry | null; properties: Record<string, unknown> }

/**
 * The content of a feature in a request. Read-only properties are dropped. @throws 400 for an unknown property, or without
 * a required one
 */
export function contentOf(
  collection: CollectionId,
  { geometry, properties: given }: { geometry?: unknown; properties?: Record<string, unknown> | null | undefined },
): Content {
  const known = properties[collection]
  const unknown = Object.keys(given ?? {}).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) {
    const message = `there is no property "${unknown.slice(0, 60)}": these are ${Object.keys(known).join(', ')}`
    throw invalid([{ code: 'custom', message, path: ['properties', unknown] }])
  }
  const missing = REQUIRED[collection].find((name) => given?.[name] == null)
  if (missing !== undefined)
    throw invalid([{ code: 'invalid_type', message: 'is required', path: ['properties', missing] }])
  const settable = Object.keys(known).filter((name) => known[name]!.receives)
  return {
    geometry: (geometry as Geometry | undefined) ?? null,
    properties: Object.fromEntries(settable.map((name) => [name, given?.[name] ?? null])),
  }
}

/** Applies a merge patch (RFC 7396). */
export function applyMergePatch(
  target: Record<string, unknown>,
  patch: Record<string, unknown>,
): Record<string, unknown> {
  const result = { ...target }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else if (isObject(value)) result[name] = applyMergePatch(isObject(result[name]) ? result[name] : {}, value)
    else if (value !== undefined) result[name] = value
  }
  return result
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
