import type { WarningCode } from '../../errors.ts'
import type { SurveyRecord } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import { columnsOf } from '../columns.ts'
import { letteredParts, withLetter } from './lettered.ts'

/**
 * Fields of a row with degrees, minutes and seconds of one angle, and an optional hemisphere letter; or one number with
 * its letter before or after it, also in metres of a grid.
 */
export type AngleParts = {
  at: number
  count: number
  letter?: 'before' | 'after'
  isGrid?: boolean
  /** The header of a column beside the minutes that may be seconds by its numbers, but not by its word. */
  doubted?: string
}

const MAX_WORD = 60
const DEGREES = /[ _.([-]?(?:degrees?|deg|grad(?:os|i)?|degr[ée]s?|graus?|gr|d|°|º|度|град)\.?[)\]]?$/i
const MINUTES =
  /^(?:.{0,40}[ _.([-])?(?:minutes?|minuten|minut[aeiosy]{0,2}|mins?|m|['′]|分|мин)\.?[)\]]?$|^(?:lat|lon|lng|long)(?:min|m)$/i
const SECONDS =
  /^(?:.{0,40}[ _.([-])?(?:seconds?|secs?|sekunden?|sekund[ay]?|sek|secondes?|second[io]|segundos?|seg|s|["″]|秒|сек)\.?[)\]]?$|^(?:lat|lon|lng|long)(?:sec|s)$/i
/** Numbers below 60, as seconds are. */
const BELOW_60 = /^[1-5]?\d(?:[.,]\d{1,12})?$/

const degreeCell = /^[+-]?\d{1,3} ?[°ºd]?$/i
const minuteCell = /^\d{1,2} ?['′m]?$/i
const secondCell = /^\d{1,2}(?:[.,]\d{1,12})? ?["″s]?$/i
const sideCell = /^[NSEWO]$/i
const cell = (fields: readonly string[], at: number): string => (fields[at] ?? '').trim().slice(0, MAX_WORD)

/**
 * Finds degrees, minutes and seconds in separate columns, twice in a row: by the header (`lat_d,lat_m,lat_s`,
 * `lat° m s`), otherwise by the shape of the rows (whole degrees, whole minutes and fractional seconds, all in range,
 * in every row).
 */
export function anglePartsOf(records: readonly SurveyRecord[]): AngleParts[] | undefined {
  const rows = records.filter(({ fields, fault }) => !fault && !fields[0]!.startsWith('#')).map(({ fields }) => fields)
  const header = records[0]?.fields ?? []
  const named = partsByHeader(header, rows.slice(1))
  if (named)
    return rows.slice(1).every((fields) => named.every(({ at }) => !/[.,]\d/.test(cell(fields, at))))
      ? named
      : undefined
  const isHeader = header.filter((field) => /\d/.test(field.slice(0, MAX_WORD))).length < 2
  const parts = partsByShape(isHeader ? rows.slice(1) : rows) ?? (isHeader ? undefined : letteredParts(rows))
  // A header above them may have as many columns as remain after joining.
  const left = parts && joinedWidth(rows.at(-1)!.length, parts)
  return parts && (!isHeader || header.length === left) ? parts : undefined
}

const joinedWidth = (width: number, parts: readonly AngleParts[]): number =>
  parts.reduce((left, { count }) => left - count + 1, width)

/** Columns of whole minutes are incomplete: numbers below 60 beside them, under a word without a meaning, may be seconds. */
function mayBeSeconds(header: readonly string[], rows: readonly string[][], at: number): boolean {
  const word = cell(header, at)
  if (word === '' || rows.length === 0 || axisOf(word) || Object.keys(columnsOf([word])).length > 0) return false
  return rows.every((fields) => /^\d+$/.test(cell(fields, at - 1)) && BELOW_60.test(cell(fields, at)))
}

function partsByHeader(header: readonly string[], rows: readonly string[][]): AngleParts[] | undefined {
  const starts: number[] = []
  for (let at = 0; at + 1 < header.length && starts.length < 2; at++)
    if (axisOf(cell(header, at)) && MINUTES.test(cell(header, at + 1))) starts.push(at)
  if (new Set(starts.map((at) => axisOf(cell(header, at)))).size !== 2) return undefined
  const named = starts.map((at) => SECONDS.test(cell(header, at + 2)))
  // A column of another kind, such as a quality, is beside one angle alone.
  const isDoubtful = starts.every((at, i) => named[i] || mayBeSeconds(header, rows, at + 2))
  const hasFractions = rows.some((fields) => starts.some((at) => /[.,]\d/.test(cell(fields, at + 2))))
  return starts.map((at, i) => ({
    at,
    count: named[i] || (isDoubtful && hasFractions) ? 3 : 2,
    ...(isDoubtful && !named[i] && { doubted: cell(header, at + 2) }),
  }))
}

/** The notice for columns that were read as seconds by their numbers alone, or were not. */
export function doubtedSeconds(parts: readonly AngleParts[]): { code: WarningCode; message: string }[] {
  const doubted = parts.filter((part) => part.doubted !== undefined)
  if (doubted.length === 0) return []
  const names = [...new Set(doubted.map((part) => `"${truncate(part.doubted!, 60)}"`))].join(' and ')
  const message =
    doubted[0]!.count === 3
      ? `${names} beside the whole minutes of the angles were read as their seconds: if they are something else, import with header= and an empty word for each`
      : `${names} beside the whole minutes of the angles were not read as their seconds: if they are seconds, import with header= and the word sec for each`
  return [{ code: 'COLUMNS_ASSUMED', message }]
}

function axisOf(word: string): 'lat' | 'lon' | undefined {
  for (const text of [word, word.replace(DEGREES, '')]) {
    const { latitude, longitude } = columnsOf([text])
    if (latitude || longitude) return latitude ? 'lat' : 'lon'
  }
  return undefined
}

function partsByShape(rows: readonly string[][]): AngleParts[] | undefined {
  for (let at = 0; at <= 4; at++) {
    const first = partsAt(rows, at)
    const second = first && partsAt(rows, at + first.count)
    if (second) return [first, second]
  }
  return undefined
}

function partsAt(rows: readonly string[][], at: number): AngleParts | undefined {
  const is = (fields: string[]) => {
    const [degrees, minutes, seconds] = [0, 1, 2].map((i) => cell(fields, at + i))
    return (
      degreeCell.test(degrees!) &&
      minuteCell.test(minutes!) &&
      secondCell.test(seconds!) &&
      Math.abs(Number.parseInt(degrees!, 10)) <= 180 &&
      Number.parseInt(minutes!, 10) < 60 &&
      Number.parseInt(seconds!, 10) < 60
    )
  }
  const fractions = rows.filter((fields) => /[.,]\d/.test(cell(fields, at + 2))).length
  if (rows.length === 0 || fractions * 2 < rows.length || !rows.every(is)) return undefined
  return { at, count: rows.every((fields) => sideCell.test(cell(fields, at + 3))) ? 4 : 3 }
}

/**
 * Joins each angle of a record into one field: `52`, `31`, `12.02` is `52°31'12.02"`, and in a header
 * `lat (lat_d lat_m lat_s)`.
 */
export function joinAngles(fields: string[], parts: readonly AngleParts[]): string[] {
  // A header line from the request may name each angle once.
  const { at: start, letter } = parts[0]!
  if (!letter && /^\p{L}/u.test(cell(fields, start)) && !MINUTES.test(cell(fields, start + 1))) return fields
  return fields.flatMap((field, i) => {
    const inside = parts.find(({ at, count }) => i >= at && i < at + count)
    if (!inside) return [field]
    if (i !== inside.at) return []
    const cells = fields.slice(i, i + inside.count)
    return [inside.letter ? withLetter(cells, inside.letter, inside.isGrid) : joined(cells)]
  })
}

/** What is known of the fields of a record, by their indexes, after its angles are joined. */
export function beside<T>(known: ReadonlyMap<number, T>, parts: readonly AngleParts[]): Map<number, T> {
  const moved = (i: number) => i - parts.reduce((sum, { at, count }) => sum + (at < i ? count - 1 : 0), 0)
  const isPart = (i: number) => parts.some(({ at, count }) => i >= at && i < at + count)
  return new Map([...known].flatMap(([i, value]) => (isPart(i) ? [] : [[moved(i), value] as const])))
}

function joined(cells: readonly string[]): string {
  const [degrees, minutes, ...rest] = cells.map((text) => text.trim())
  const axis = /\d/.test(degrees!) ? undefined : axisOf(degrees!.slice(0, MAX_WORD))
  if (axis) return `${axis} (${cells.map((text) => text.replace(/[()[\]]/g, '').trim()).join(' ')})`
  if (cells.every((text) => text.trim() === '')) return ''
  const bare = (text: string | undefined, marks: RegExp) => (text ?? '').replace(marks, '')
  const side = sideCell.test(rest[1] ?? '') ? rest[1] : ''
  const seconds = bare(rest[0], / ?["″s]$/i)
  return `${bare(degrees, / ?[°ºd]$/i)}°${bare(minutes, / ?['′m]$/i)}'${seconds === '' ? '' : `${seconds}"`}${side}`
}

/** The header words for joined angles, as a header line for the unjoined file. */
export function partedWords(words: readonly string[], parts: readonly AngleParts[]): string[] {
  const starts = new Map<number, AngleParts>()
  let moved = 0
  for (const part of parts) {
    starts.set(part.at - moved, part)
    moved += part.count - 1
  }
  return words.flatMap((word, i) => {
    const part = starts.get(i)
    if (part?.letter) return part.letter === 'before' ? [`${word}_ref`, word] : [word, `${word}_ref`]
    return part
      ? [`${word}_d`, `${word}_m`, `${word}_s`, ...(part.count > 3 ? [`${word}_side`] : [])].slice(0, part.count)
      : [word]
  })
}
