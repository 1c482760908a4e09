import { z } from 'zod'
import { chosenName, timestamp } from '../../platform/schema.ts'

/** The most maps of a user. */
export const MAX_MAPS = 100
const MAX_ZONES = 10
const MAX_PINS = 200
const MAX_BOARDS = 4
/** Positions of all boundaries of a map. */
export const MAX_POSITIONS = 20_000
/** Pins that a map shows, those of its zones included. */
export const MAX_SHOWN_PINS = 500
/** Pins of each zone among which the public ones are looked for. */
export const MAX_LOOKED_AT = 2000
/** Entries of a leaderboard that a map shows. */
export const TOP = 10

/** IDs of records, each once. */
const recordIds = (most: number) =>
  z
    .array(z.int().min(1))
    .max(most)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'must not have an ID twice' })

export const SharedBoard = z
  .object({
    appId: z.uuid(),
    miniGameTypeId: z.uuid().nullable().default(null).describe('`null` for the default game'),
  })
  .meta({ id: 'SharedBoard' })
export type SharedBoard = z.infer<typeof SharedBoard>

const shape = {
  title: chosenName.meta({ minLength: 1, maxLength: 255 }),
  description: z.string().max(2000).nullable().describe('Plain text below the title'),
  zoneIds: recordIds(MAX_ZONES).describe('Zones whose boundaries are drawn'),
  pinsInZones: z
    .boolean()
    .describe('Whether to show the public pins of these zones, without those of ground control points'),
  pinIds: recordIds(MAX_PINS).describe('Other pins. A private pin is refused, and hidden once it becomes private'),
  boards: z
    .array(SharedBoard)
    .max(MAX_BOARDS)
    .describe(`Leaderboards of apps in which the user is at least a developer; the ${TOP} best are shown`),
}

export const NewSharedMap = z
  .object({
    ...shape,
    description: shape.description.default(null),
    zoneIds: shape.zoneIds.default([]),
    pinsInZones: shape.pinsInZones.default(true),
    pinIds: shape.pinIds.default([]),
    boards: shape.boards.default([]),
  })
  .meta({ id: 'NewSharedMap' })
export type NewSharedMap = z.infer<typeof NewSharedMap>

export const SharedMapChange = z.object(shape).partial().meta({ id: 'SharedMapChange' })
export type SharedMapChange = z.infer<typeof SharedMapChange>

export const SharedMap = z
  .object({
    id: z.uuid(),
    ...shape,
    title: z.string(),
    url: z.url().describe('The page of the map, which other pages may embed in a frame'),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'SharedMap' })
export type SharedMap = z.infer<typeof SharedMap>

export const SharedMapList = z.object({ maps: z.array(SharedMap) }).meta({ id: 'SharedMapList' })

const ShownZone = z
  .object({
    id: z.int(),
    title: z.string(),
    boundary: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        `A GeoJSON Polygon or MultiPolygon; \`null\` without one, and beyond ${MAX_POSITIONS} positions in all`,
      ),
  })
  .meta({ id: 'ShownZone' })

const ShownPin = z
  .object({
    id: z.int(),
    title: z.string(),
    latitude: z.number(),
    longitude: z.number(),
    contentType: z.string(),
    arUrl: z.url().nullable().describe('The page that shows its model in AR, if it has a public one'),
  })
  .meta({ id: 'ShownPin' })

const ShownBoard = z
  .object({
    title: z.string(),
    entries: z.array(z.object({ ranking: z.int(), displayName: z.string(), score: z.number() })),
  })
  .meta({ id: 'ShownBoard' })
export type ShownBoard = z.infer<typeof ShownBoard>

export const SharedMapView = z
  .object({
    id: z.uuid(),
    title: z.string(),
    description: z.string().nullable(),
    zones: z.array(ShownZone),
    pins: z
      .array(ShownPin)
      .describe(
        `At most ${MAX_SHOWN_PINS}, chosen pins first. Of a zone with more than ${MAX_LOOKED_AT} pins, some are left out`,
      ),
    boards: z.array(ShownBoard),
  })
  .meta({ id: 'SharedMapView' })
export type SharedMapView = z.infer<typeof SharedMapView>
