import { z } from 'zod'

const links = z.array(
  z.looseObject({ href: z.url(), rel: z.string().min(1), type: z.string().min(1), title: z.string().optional() }),
)
const address = z.url()
const crs = z.array(z.union([address, z.literal('#/crs')])).min(1)

/** The documents of OGC API Features as its schemas have them (17-069r4, part1/1.0/openapi/schemas), with what part 2 adds. */
export const LandingPage = z.looseObject({ title: z.string().optional(), description: z.string().optional(), links })
export const ConfClasses = z.looseObject({ conformsTo: z.array(address).min(1) })
const Collection = z.looseObject({
  id: z.string().min(1),
  title: z.string().optional(),
  description: z.string().optional(),
  links,
  extent: z.looseObject({
    spatial: z.looseObject({ bbox: z.array(z.array(z.number()).length(4)).min(1), crs: address }),
    temporal: z.looseObject({ interval: z.array(z.tuple([z.string().nullable(), z.string().nullable()])).min(1) }),
  }),
  itemType: z.literal('feature'),
  crs,
  storageCrs: address,
})
export const Collections = z.looseObject({ links, collections: z.array(Collection), crs })

const position = z.array(z.number()).min(2).max(3)
const ring = z
  .array(position)
  .min(4)
  .refine((all) => all[0]!.every((number, i) => number === all.at(-1)![i]))
const Geometry = z.union([
  z.strictObject({ type: z.literal('Point'), coordinates: position }),
  z.strictObject({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) }),
  z.strictObject({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)) }),
])

/** A feature in GeoJSON (RFC 7946, 3.2). */
export const Feature = z.looseObject({
  type: z.literal('Feature'),
  id: z.union([z.string(), z.number()]),
  geometry: Geometry.nullable(),
  properties: z.record(z.string(), z.unknown()).nullable(),
  links: links.optional(),
})
export const FeatureCollection = z.looseObject({
  type: z.literal('FeatureCollection'),
  features: z.array(Feature),
  links,
  timeStamp: z.iso.datetime({ offset: true }),
  numberMatched: z.int().min(0).optional(),
  numberReturned: z.int().min(0),
})
