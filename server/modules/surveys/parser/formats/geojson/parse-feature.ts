import { type RowError, SurveyFileError } from '../../errors.ts'
import { writtenAddresses } from '../../rows/cairn-export.ts'
import { truncate } from '../../truncate.ts'
import type { Feature } from '../features/feature.ts'
import type { Span } from './features-in.ts'

/** A feature with its properties as texts. */
export type Parsed = Pick<Feature, 'kind' | 'position' | 'fault'> & {
  properties: Map<string, string>
  id: string | undefined
}

/** Maximum size of a feature. */
const MAX_BYTES = 1024 * 1024

const unread = (kind: string): Parsed => ({ kind, position: undefined, properties: new Map(), id: undefined })

/** @throws SurveyFileError UNREADABLE_FILE for invalid JSON */
export function parseFeature(file: Buffer, span: Span): Parsed {
  if (span.end - span.start > MAX_BYTES) return unread('feature of more than 1 MiB')
  try {
    return featureIn(file, span)
  } catch (error) {
    // Serializing a property recurses.
    if (error instanceof RangeError) return unread('feature with properties nested too deeply')
    throw error
  }
}

function featureIn(file: Buffer, { start, end, line }: Span): Parsed {
  const text = file.toString('utf8', start, end)
  const value = parsed(text, line)
  const isFeature = value.type === 'Feature'
  const geometry = isFeature ? objectOf(value.geometry) : value
  const kind = geometry?.type
  const properties = isFeature ? Object.entries(objectOf(value.properties) ?? {}) : []
  return {
    kind: typeof kind === 'string' ? kind.slice(0, 40) : undefined,
    ...placeOf(geometry ?? {}),
    properties: new Map(properties.map(([name, member]) => [name, member === null ? '' : cellOf(member)])),
    id: typeof value.id === 'string' || typeof value.id === 'number' ? String(value.id) : undefined,
  }
}

type Members = Record<string, unknown>

const objectOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null ? (value as Members) : undefined

/** Numbers that JSON does not have, and strings, which may have these words. */
const NOT_JSON = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g

/**
 * Keeps the digits of integers beyond 2^53. Python writes NaN and Infinity, which are read as null.
 */
function parsed(text: string, line: number, isStrict = true): Members {
  const exact = (_: string, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' && source && /^-?\d{16,}$/.test(source) ? source : value
  try {
    return objectOf(/\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text)) ?? {}
  } catch (error) {
    if (error instanceof RangeError) throw error
    if (isStrict && /NaN|Infinity/.test(text))
      return parsed(
        text.replace(NOT_JSON, (found) => (found.startsWith('"') ? found : 'null')),
        line,
        false,
      )
    throw new SurveyFileError(
      'UNREADABLE_FILE',
      `the feature that begins on line ${line} is not valid JSON: ${(error as Error).message.slice(0, 200)}`,
      line,
    )
  }
}

/** A position, or why there is none. */
type Place = Pick<Feature, 'position' | 'fault'>

/**
 * The place of a Point, or of a MultiPoint with one part. A position has two or three numbers (RFC 7946 §3.1.1), and
 * perhaps a measure. `[13,4,52,5]` is JSON, but not 13.4° E, 52.5° N.
 */
function placeOf({ type, coordinates }: Members): Place {
  const list = Array.isArray(coordinates) ? coordinates : []
  const place: unknown = type === 'Point' ? list : type === 'MultiPoint' && list.length === 1 ? list[0] : undefined
  if (!Array.isArray(place)) return { position: undefined }
  const [x, y, z] = place as unknown[]
  if (!isFigure(x) || !isFigure(y))
    return { position: undefined, ...(place.length > 0 && { fault: notTwoNumbers(place) }) }
  if (place.length > 3 && place.every(Number.isInteger)) return { position: undefined, fault: decimalCommas(place) }
  return { position: { x, y, z: isFigure(z) ? z : undefined } }
}

const isFigure = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const notTwoNumbers = (place: readonly unknown[]): RowError => {
  const value = truncate(JSON.stringify(place), 60)
  const message = `the position ${value} is not two or three numbers: write the longitude, the latitude and a height as in [13.404954,52.5200066,34.2]`
  return { column: 'coordinates', value, code: 'NOT_A_NUMBER', message }
}

const decimalCommas = (place: readonly unknown[]): RowError => {
  const value = truncate(JSON.stringify(place), 60)
  const message = `the position ${value} has four or more whole numbers, as decimal commas write it: write decimals with a point, as in [13.404954,52.5200066]`
  return { column: 'coordinates', value, code: 'NOT_A_NUMBER', message }
}

/** Joins lists of URLs and other texts with spaces if possible; nested values become JSON. */
function cellOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return writtenAddresses(value) ?? ''
  return JSON.stringify(value)
}
