import { createHash } from 'node:crypto'
import { z } from 'zod'
import { invalid } from '../../../platform/errors.ts'
import { cutPage, decodeCursor } from '../../../platform/http/pages.ts'
import { listCursor, listLimit, pathInteger, queryInteger, queryNumber } from '../../../platform/schema.ts'
import { latitude, longitude, PoseForm } from '../../places/schema.ts'
import { ContentType } from '../record.ts'

const box = z
  .string()
  .transform((text) => text.split(','))
  .pipe(
    z.tuple([
      queryNumber.pipe(longitude),
      queryNumber.pipe(latitude),
      queryNumber.pipe(longitude),
      queryNumber.pipe(latitude),
    ]),
  )
  .refine(([, south, , north]) => south <= north, 'must have its south before its north: west,south,east,north')
  .meta({ type: 'string', example: '13.3,52.4,13.5,52.6' })

export const LocationQuery = z
  .object({
    lat: queryNumber.pipe(latitude).describe('Degrees north'),
    lon: queryNumber.pipe(longitude).describe('Degrees east; 180 and -180 are the same meridian'),
    radius: queryNumber.pipe(z.number().min(0).max(100_000)).optional().meta({
      type: 'number',
      minimum: 0,
      maximum: 100_000,
      default: 1000,
      description:
        'Metres from 0 to 100000, inclusive; 0 matches the exact point. With `nearest` or `bbox` there is no default: the distance is not limited unless you send a radius',
    }),
    nearest: queryInteger
      .pipe(z.int().min(1).max(1000))
      .meta({ type: 'integer', minimum: 1, maximum: 1000 })
      .optional()
      .describe('Number of nearest pins to find, at any distance'),
    bbox: box
      .optional()
      .describe(
        'west,south,east,north in degrees: only pins in this box, including its edges. West greater than east crosses 180°',
      ),
    minH: queryNumber
      .optional()
      .describe('Lowest height of `geoPose`, in metres above the ellipsoid. Pins without a height are left out'),
    maxH: queryNumber
      .optional()
      .describe('Highest height of `geoPose`, in metres above the ellipsoid. Pins without a height are left out'),
    contentType: ContentType.optional().describe('Only pins with this type of content'),
    zoneId: pathInteger.optional().describe('Only pins in this zone'),
    limit: listLimit(1000, 1000).describe('Maximum number of pins in the page'),
    cursor: listCursor,
    format: z.enum(['json', 'geojson']).default('json').describe('`geojson`: a FeatureCollection (RFC 7946)'),
    pose: PoseForm.optional(),
  })
  .superRefine(({ minH, maxH }, context) => {
    if (minH === undefined || maxH === undefined || minH <= maxH) return
    context.addIssue({ code: 'custom', message: 'minH is greater than maxH', path: ['minH'] })
  })
export type LocationQuery = z.infer<typeof LocationQuery>

/** In degrees. West greater than east crosses 180°. */
type LonLatBox = readonly [west: number, south: number, east: number, north: number]

/** What a search asks for, without paging. */
export type PinQuery = {
  latitude: number
  longitude: number
  /** In metres, inclusive; undefined: the whole earth. */
  radius: number | undefined
  /** Maximum number of pins over all pages; undefined: no maximum. */
  nearest: number | undefined
  bbox: LonLatBox | undefined
  minH: number | undefined
  maxH: number | undefined
  contentType: string | undefined
  zoneId: number | undefined
}
/** The last pin of a page: its distance, its ID, and the number of pins up to it. */
export type PagePosition = { metres: number; id: number; shown: number }

/** Reads the search and the cursor of a request. @throws 400 for a cursor of another search */
export function readQuery({ lat, lon, radius, ...query }: LocationQuery): {
  query: PinQuery
  after: PagePosition | undefined
} {
  const { nearest, bbox, minH, maxH, contentType, zoneId } = query
  const usual = nearest === undefined && bbox === undefined ? 1000 : undefined
  const wanted = {
    latitude: lat,
    longitude: lon,
    radius: radius ?? usual,
    nearest,
    bbox,
    minH,
    maxH,
    contentType,
    zoneId,
  }
  const values = decodeCursor(query.cursor, Cursor)
  if (values && values[0] !== fingerprintOf(wanted)) {
    const message = 'was given for another search: send it with the parameters of the page before'
    throw invalid([{ code: 'custom', message, path: ['cursor'] }])
  }
  return { query: wanted, after: values && { metres: values[1], id: values[2], shown: values[3] } }
}

/** Cuts a page from what was found, which is one row longer than the limit if there is a next page. */
export const pageOf = <Row extends { metres: number; id: number }>(
  query: PinQuery,
  found: Row[],
  limit: number,
  shown: number,
) => cutPage(found, limit, ({ metres, id }) => [fingerprintOf(query), metres, id, shown + limit])

const Cursor = z.tuple([z.string(), z.number().min(0).max(3e7), z.int().min(1), z.int().min(0)])

/** Identifies a search, so that a cursor of another one is refused. */
const fingerprintOf = (query: PinQuery): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.values(query).map((value) => value ?? null)))
    .digest('base64url')
    .slice(0, 12)
