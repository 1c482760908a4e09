import { isoTime } from '../../platform/database/database.ts'
import { columnOf } from '../../platform/records/columns.ts'
import { type Kind, kindOf } from '../../platform/records/fields.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import { poseIn } from '../places/pose.ts'
import type { PoseForm } from '../places/schema.ts'
import { pinFields } from './record.ts'

/**
 * A pin as PostgreSQL's text of each column; null for a null. The texts are copied into the response, because parsing numbers
 * and poses and writing them again takes longer than the rest of a search.
 */
export type PinTexts = (string | null)[]

type Write = (text: string) => string
const asIs: Write = (text) => text
const quoted: Write = (text) => JSON.stringify(text)
const asTimestamp: Write = (text) => `"${isoTime(text)}"`

/** Convert PostgreSQL's text of a value to JSON. Its numbers and jsonb are already JSON. */
const writers: Partial<Record<Kind, Write>> = {
  integer: asIs,
  number: asIs,
  json: asIs,
  boolean: (text) => (text === 't' ? 'true' : 'false'),
  text: quoted,
  timestamp: asTimestamp,
}

const columns = Object.entries(pinFields).map(([member, field]) => {
  const write = writers[kindOf(member, field)]
  if (!write) throw new Error(`pins/pin-json.ts cannot write the field ${member} as JSON: add its kind to writers`)
  return { name: columnOf(pinFields, member), member, write }
})
const columnIndex = (member: string) => columns.findIndex((column) => column.member === member)
const [LATITUDE, LONGITUDE, POSE] = [columnIndex('latitude'), columnIndex('longitude'), columnIndex('geoPose')]
const [CONTENT, PHOTO, LOCALIZATION] = [
  columnIndex('contentUrl'),
  columnIndex('relocalizationPhotoUrl'),
  columnIndex('localizationData'),
]
const prefixes = columns.map(({ member }, at) => `${at === 0 ? '' : ','}${JSON.stringify(member)}:`)

/** The select list of `PinTexts`. */
export const pinColumnsSql = columns.map(({ name }) => name).join(', ')
export const COLUMN_COUNT = columns.length

/** The coordinates of a pin that has them. */
export const coordinatesOf = (texts: PinTexts) => ({
  latitude: Number(texts[LATITUDE]),
  longitude: Number(texts[LONGITUDE]),
})

/** Writes the addresses of own files in full, in place. @returns `texts` */
export function writeAddresses(texts: PinTexts, { written, writtenWorldMap }: OwnUrls): PinTexts {
  texts[CONTENT] = written(texts[CONTENT] ?? null)
  texts[PHOTO] = written(texts[PHOTO] ?? null)
  const localization = texts[LOCALIZATION]
  if (localization != null) texts[LOCALIZATION] = writtenWorldMap(localization)
  return texts
}

export type TextPin = { texts: PinTexts; metres: number }

/** `{"pins": […]}` of located pins, as JSON. */
export const pinsJson = (pins: TextPin[], pose: PoseForm | undefined): string =>
  `{"pins":[${pins.map((pin) => pinJson(pin, pose)).join(',')}]}`

/**
 * A FeatureCollection (RFC 7946). Each pin is a point, with its height above the ellipsoid if it has a pose; its properties are
 * the members of the pin.
 */
export const pinsGeoJson = (pins: TextPin[], pose: PoseForm | undefined): string =>
  `{"type":"FeatureCollection","features":[${pins.map((pin) => featureJson(pin, pose)).join(',')}]}`

/** A pin as JSON without the closing brace, so that `pose` and `distance` can follow. */
export function openPinJson(texts: PinTexts): string {
  let json = '{'
  for (let at = 0; at < COLUMN_COUNT; at++) {
    const text = texts[at]
    json += prefixes[at]! + (text == null ? 'null' : columns[at]!.write(text))
  }
  return json
}

function pinJson({ texts, metres }: TextPin, pose: PoseForm | undefined): string {
  const posed = pose ? `,"pose":${poseJson(texts, pose)}` : ''
  return `${openPinJson(texts)}${posed},"distance":${metres}}`
}

function featureJson(pin: TextPin, pose: PoseForm | undefined): string {
  const [id] = pin.texts
  const geoPose = pin.texts[POSE]
  const h = geoPose == null ? '' : `,${JSON.parse(geoPose).position.h}`
  const coordinates = `[${pin.texts[LONGITUDE]},${pin.texts[LATITUDE]}${h}]`
  return `{"type":"Feature","id":${id},"geometry":{"type":"Point","coordinates":${coordinates}},"properties":${pinJson(pin, pose)}}`
}

function poseJson(texts: PinTexts, pose: PoseForm): string {
  const geoPose = texts[POSE]
  return geoPose == null ? 'null' : JSON.stringify(poseIn(pose, JSON.parse(geoPose)))
}
