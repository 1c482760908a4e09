import { z } from 'zod'
import { pathInteger, queryInteger, queryNumber, timestampInput } from '../../platform/schema.ts'

/** WGS84, longitude before latitude: the system of requests and responses that name no other. */
export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
/** The same with a height above the ellipsoid. */
export const CRS84H = 'http://www.opengis.net/def/crs/OGC/0/CRS84h'

export const MAX_FEATURES = 10_000
export const USUAL_FEATURES = 1000
/** A page counts as one request for each of these that its limit has room for. */
const FEATURES_A_REQUEST = 1000

/** A page with a filter, an order or a reference system counts as at least this many. */
const COST_OF_FILTER = 5

/** How many requests a page counts as, by the limit in its query, which need not be valid. */
export function costOfPage(query: unknown): number {
  const { limit: asked, filter, sortby, crs, 'bbox-crs': bboxCrs } = query as Record<string, unknown>
  const limit = Number(asked ?? USUAL_FEATURES)
  const cost = limit > 0 ? Math.ceil(Math.min(limit, MAX_FEATURES) / FEATURES_A_REQUEST) : 1
  return [filter, sortby, crs, bboxCrs].every((value) => value === undefined) ? cost : Math.max(cost, COST_OF_FILTER)
}

const text = z.string().min(1).max(255)
const number = queryNumber.meta({ type: 'number' })
const times = { createdAt: timestampInput, updatedAt: timestampInput }

/** What a collection is, and by which properties its features can be chosen. */
export const collections = {
  pins: {
    title: 'Pins',
    description: 'Public pins that have a location',
    filters: {
      id: pathInteger,
      title: text,
      contentType: text,
      trackingMode: text,
      zoneId: pathInteger,
      gcpId: pathInteger,
      userId: text,
      ...times,
    },
    geometry: 'geometry-point',
  },
  gcps: {
    title: 'Ground control points',
    description: 'Ground control points; one without a location has no geometry',
    filters: {
      id: pathInteger,
      title: text,
      description: z.string().min(1).max(2000),
      gcpType: z.enum(['SINGLE', 'MULTI']),
      aprilTagId: queryInteger.pipe(z.int().min(0).max(50)),
      altitude: number,
      heightDatum: text,
      accuracyH: number,
      accuracyV: number,
      zoneId: pathInteger,
      userId: text,
      ...times,
    },
    geometry: 'geometry-point',
  },
  zones: {
    title: 'Zones',
    description: 'Zones; one without a boundary has no geometry',
    filters: { id: pathInteger, title: text, description: z.string().min(1).max(2000), userId: text, ...times },
    geometry: 'geometry-any',
  },
} as const
export type CollectionId = keyof typeof collections
export const collectionIds = Object.keys(collections) as CollectionId[]

const format = z
  .enum(['json', 'html'])
  .optional()
  .describe('By default JSON, or a page for people if `Accept` names text/html and no JSON')
/** What the documents take: nothing but the form. A parameter that is not known is refused, as the standard has it. */
export const DocumentQuery = z.strictObject({ f: format })

export const SchemaQuery = z.strictObject({
  f: format,
  type: z
    .enum(['create', 'replace', 'update'])
    .optional()
    .describe('The schema that a feature in such a request keeps, instead of that of responses'),
})
export type SchemaQuery = z.infer<typeof SchemaQuery>

const crs = z.string().min(1).max(255).optional()
const ACCURACY =
  'one of the addresses in `crs` of `/ogc/collections`, such as http://www.opengis.net/def/crs/EPSG/0/3857; by default CRS84. Coordinates are in the order of its axes: EPSG:4326 has latitude first'

/** The query of one feature. */
export const FeatureQuery = z.strictObject({
  f: format,
  crs: crs.describe(`Reference system of the feature: ${ACCURACY}`),
})

/** What every list of features takes beside the properties of its collection. */
const common = {
  f: format,
  limit: queryInteger
    .pipe(z.number().min(1))
    .default(USUAL_FEATURES)
    .transform((limit) => Math.min(limit, MAX_FEATURES))
    .meta({ type: 'integer', minimum: 1, maximum: MAX_FEATURES, default: USUAL_FEATURES })
    .describe(
      'Maximum number of features in the page; more than 10,000 is treated as 10,000. A page may have fewer even if more follow: use the `next` link. A page counts as one request for each 1,000 of `limit`',
    ),
  cursor: z.string().max(1024).optional().describe('Opaque; from the `next` link of the previous page'),
  bbox: z
    .string()
    .max(255)
    .optional()
    .describe(
      'west,south,east,north in degrees, or west,south,lowest,east,north,highest with heights in metres above the ellipsoid. West greater than east crosses 180°. A feature without a geometry matches',
    ),
  'bbox-crs': crs.describe(`Reference system of \`bbox\`: ${ACCURACY}`),
  crs: crs.describe(
    `Reference system of the features: ${ACCURACY}. A page ends at 4 MiB and counts as at least five requests. A feature outside the area of the system returns 400`,
  ),
  datetime: z
    .string()
    .max(100)
    .optional()
    .describe('When the feature was created: a date-time, or an interval such as `2026-01-01T00:00:00Z/..`'),
  filter: z
    .string()
    .min(1)
    .max(8192)
    .optional()
    .describe(
      'In CQL2: comparisons, AND, OR, NOT, LIKE, BETWEEN, IN, IS NULL and S_INTERSECTS on the queryables. A page with a filter counts as at least five requests',
    ),
  'filter-lang': z.enum(['cql2-text', 'cql2-json']).optional().describe('Language of `filter`; by default cql2-text'),
  'filter-crs': crs.describe(`Reference system of the geometries in \`filter\`: ${ACCURACY}`),
  sortby: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'Comma-separated sortables: `title` or `+title` sorts upwards, `-createdAt` downwards; null comes last. A sorted page counts as at least five requests',
    ),
  properties: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe('Comma-separated names; features have only these properties'),
}

/** The query of a collection's features: anything else is refused. */
export const itemsQueryOf = (collection: CollectionId) =>
  z.strictObject({ ...common, ...optional(collections[collection].filters) })

function optional(filters: Record<string, z.ZodType>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(filters).map(([name, schema]) => [name, schema.optional()]))
}

export type ItemsQuery = {
  limit: number
  cursor?: string | undefined
  bbox?: string | undefined
  'bbox-crs'?: string | undefined
  crs?: string | undefined
  datetime?: string | undefined
  filter?: string | undefined
  sortby?: string | undefined
  'filter-lang'?: 'cql2-text' | 'cql2-json' | undefined
  'filter-crs'?: string | undefined
  properties?: string | undefined
} & Record<string, unknown>

export const Link = z
  .object({
    href: z.string(),
    rel: z.string(),
    type: z.string(),
    title: z.string().optional(),
  })
  .meta({ id: 'FeatureLink' })
export type Link = z.infer<typeof Link>

const links = z.array(Link)

export const Landing = z.object({ title: z.string(), description: z.string(), links })
export const Conformance = z.object({ conformsTo: z.array(z.string()) })
export const Collection = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    itemType: z.literal('feature'),
    extent: z.unknown(),
    crs: z.array(z.string()),
    storageCrs: z.string(),
    links,
  })
  .meta({ id: 'FeatureCollectionDescription' })
export const Collections = z.object({
  crs: z.array(z.string()).describe('What `#/crs` in `crs` of a collection stands for'),
  links,
  collections: z.array(Collection),
})

export const Feature = z
  .object({
    type: z.literal('Feature'),
    id: z.int(),
    geometry: z.unknown().describe('GeoJSON, or `null`'),
    properties: z.record(z.string(), z.unknown()),
    links: links.optional(),
  })
  .meta({ id: 'Feature' })
export type Feature = z.infer<typeof Feature>

export const FeaturePage = z
  .object({
    type: z.literal('FeatureCollection'),
    features: z.array(Feature),
    numberReturned: z.int(),
    numberMatched: z.int().optional().describe('Omitted if counting would take long'),
    timeStamp: z.string(),
    links,
  })
  .meta({ id: 'FeaturePage' })
