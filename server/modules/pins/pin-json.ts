import { isoTime } from '../../platform/database/database.ts'
import { columnOf } from '../../platform/records/columns.ts'
import { type Kind, kindOf } from '../../platform/records/fields.ts'
import type { OwnUrls } from '../../platform/storage/own-urls.ts'
import { poseIn } from '../places/pose.ts'
import type { PoseForm } from '../places/schema.ts'
import { pinFields } from './record.ts'

/**
 * A pin as the texts of its columns, null where the column is. They are written into an answer as they are: reading numbers
 * and poses only to write them again costs more than all the rest of a search.
 */
export type PinJson = (string | null)[]

type Write = (text: string) => string
const asIs: Write = (text) => text
const quoted: Write = (text) => JSON.stringify(text)
const asMoment: Write = (text) => `"${isoTime(text)}"`

/** How PostgreSQL's text of a value becomes JSON: its numbers and its jsonb are JSON already. */
const writers: Partial<Record<Kind, Write>> = {
  integer: asIs,
  number: asIs,
  json: asIs,
  boolean: (text) => (text === 't' ? 'true' : 'false'),
  text: quoted,
  moment: asMoment,
}

const columns = Object.entries(pinFields).map(([member, field]) => {
  const write = writers[kindOf(member, field)]
  if (!write) throw new Error(`pins/pin-json.ts cannot write the field ${member} as JSON: add its kind to writers`)
  return { name: columnOf(pinFields, member), member, write }
})
const placeOf = (member: string) => columns.findIndex((column) => column.member === member)
const [LATITUDE, LONGITUDE, POSE] = [placeOf('latitude'), placeOf('longitude'), placeOf('geoPose')]
const [CONTENT, PHOTO, LOCALIZATION] = [
  placeOf('contentUrl'),
  placeOf('relocalizationPhotoUrl'),
  placeOf('localizationData'),
]
const before = columns.map(({ member }, place) => `${place === 0 ? '' : ','}${JSON.stringify(member)}:`)

/** The columns of a pin in the order of its texts, and how many they are. */
export const pinColumnsSql = columns.map(({ name }) => name).join(', ')
export const COLUMN_COUNT = columns.length

/** Where a pin with coordinates is. */
export const placeIn = (texts: PinJson) => ({ latitude: Number(texts[LATITUDE]), longitude: Number(texts[LONGITUDE]) })

/** The texts with the addresses of own files written out. They are changed in place. */
export function writeAddresses(texts: PinJson, { written, writtenWorldMap }: OwnUrls): PinJson {
  texts[CONTENT] = written(texts[CONTENT] ?? null)
  texts[PHOTO] = written(texts[PHOTO] ?? null)
  const localization = texts[LOCALIZATION]
  if (localization != null) texts[LOCALIZATION] = writtenWorldMap(localization)
  return texts
}

export type TextPin = { texts: PinJson; metres: number }

/** `{"pins": […]}` of located pins, as JSON. */
export const pinsJson = (pins: TextPin[], pose: PoseForm | undefined): string =>
  `{"pins":[${pins.map((pin) => pinJson(pin, pose)).join(',')}]}`

/** A FeatureCollection (RFC 7946): a point each, with the height above the ellipsoid where the pin has a pose; all members of the pin are its properties. */
export const pinsGeoJson = (pins: TextPin[], pose: PoseForm | undefined): string =>
  `{"type":"FeatureCollection","features":[${pins.map((pin) => featureJson(pin, pose)).join(',')}]}`

/** All members of a pin that its columns have, as JSON without its end. */
export function memberTexts(texts: PinJson): string {
  let json = '{'
  for (let place = 0; place < COLUMN_COUNT; place++) {
    const text = texts[place]
    json += before[place]! + (text == null ? 'null' : columns[place]!.write(text))
  }
  return json
}

function pinJson({ texts, metres }: TextPin, pose: PoseForm | undefined): string {
  const posed = pose ? `,"pose":${poseJson(texts, pose)}` : ''
  return `${memberTexts(texts)}${posed},"distance":${metres}}`
}

function featureJson(pin: TextPin, pose: PoseForm | undefined): string {
  const [id] = pin.texts
  const geoPose = pin.texts[POSE]
  const h = geoPose == null ? '' : `,${JSON.parse(geoPose).position.h}`
  const coordinates = `[${pin.texts[LONGITUDE]},${pin.texts[LATITUDE]}${h}]`
  return `{"type":"Feature","id":${id},"geometry":{"type":"Point","coordinates":${coordinates}},"properties":${pinJson(pin, pose)}}`
}

function poseJson(texts: PinJson, pose: PoseForm): string {
  const geoPose = texts[POSE]
  return geoPose == null ? 'null' : JSON.stringify(poseIn(pose, JSON.parse(geoPose)))
}
