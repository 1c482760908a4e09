import { z } from 'zod'

/** The last zoom level that has tiles. Maps draw those further in. */
export const MAX_ZOOM = 22
/** The only tile matrix set: that of web maps. */
export const WEB_MERCATOR = 'WebMercatorQuad'
/** The media type of a Mapbox Vector Tile. */
export const MVT_TYPE = 'application/vnd.mapbox-vector-tile'

const whole = (what: string) =>
  z
    .string()
    .regex(/^\d{1,16}$/, { error: `${what} must be a whole number`, abort: true })
    .transform(Number)
    .meta({ type: 'integer', minimum: 0 })

export const TilePath = z.object({
  tileMatrix: whole('The tile matrix').describe(`Zoom level, 0 to ${MAX_ZOOM}`),
  tileRow: whole('The tile row').describe('Row, from the north'),
  tileCol: whole('The tile column').describe('Column, from the west'),
})

const format = z.literal('json').optional().describe('JSON is the only format')
export const TileDocumentQuery = z.strictObject({ f: format })
export const TileQuery = z.strictObject({
  f: z.literal('mvt').optional().describe('Mapbox Vector Tiles are the only format'),
})

const Link = z.looseObject({ href: z.string(), rel: z.string(), type: z.string(), title: z.string() })
const links = z.array(Link)

export const TileSet = z
  .looseObject({
    title: z.string(),
    dataType: z.literal('vector'),
    crs: z.string(),
    tileMatrixSetURI: z.string(),
    links,
  })
  .meta({ id: 'TileSet' })
export const TileSets = z.object({ links, tilesets: z.array(TileSet) }).meta({ id: 'TileSets' })
export const TileMatrixSets = z
  .object({ tileMatrixSets: z.array(z.looseObject({ id: z.string(), title: z.string(), uri: z.string(), links })) })
  .meta({ id: 'TileMatrixSets' })
export const TileMatrixSet = z
  .looseObject({
    id: z.string(),
    uri: z.string(),
    crs: z.string(),
    tileMatrices: z.array(z.looseObject({ id: z.string() })),
  })
  .meta({ id: 'TileMatrixSet' })
export const TileJson = z
  .looseObject({
    tilejson: z.string(),
    tiles: z.array(z.string()),
    minzoom: z.int(),
    maxzoom: z.int(),
    vector_layers: z.array(z.looseObject({ id: z.string(), fields: z.record(z.string(), z.string()) })),
  })
  .meta({ id: 'TileJson' })
