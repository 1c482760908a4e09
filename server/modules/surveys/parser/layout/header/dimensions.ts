import { SurveyFileError } from '../../errors.ts'
import { gridCheckFigures, metresFromGrid } from '../../rows/grid-check.ts'
import { nothing } from '../../rows/row.ts'
import { readAngle } from '../../rows/values/angles.ts'
import { truncate } from '../../truncate.ts'
import type { Column } from '../columns.ts'
import { headerLine, type Layout, type LayoutContext } from '../layout.ts'
import { cellOf } from '../sample.ts'

/** Words for latitudes and longitudes that are also the width and length of a thing. */
const DIMENSION =
  /^(?:breite|lange|laenge|sirka|delka|dlzka|sirina|duzina|dolzina|szerokosc|dlugosc|bredde|breedte|lengte)$/
/** Coordinates of one point differ by less, whatever their datum. */
const FAR_METRES = 5000
/** A sign or letter of an angle at its end, or figures alone. */
const ANGLE = /\d\s*[°'"′″]|[\d\s°'"′″][NSEWO]\s*$|^[\s\d.,+-]*\d[\s\d.,]*$/i
/** Part of the rows. */
const NEARLY_ALL = 0.9

/**
 * Whether columns such as `Breite` and `Länge` beside grid coordinates are the width and length of a thing: they have
 * units of length or other texts, or are too coarse for positions and somewhere else in the known system of the grid.
 * @throws SurveyFileError AMBIGUOUS_COLUMNS with the header lines to choose from, if only one of both is the case
 */
export function areDimensions(
  { kind, columns, decimal, beside, angles }: Layout,
  rows: readonly string[][],
  header: readonly string[],
  { delimiter }: LayoutContext,
): boolean {
  if (kind !== 'geodetic' || !beside || (angles && angles !== 'decimal')) return false
  const [latitude, longitude] = [columns.latitude!, columns.longitude!]
  if (![latitude, longitude].every((all) => DIMENSION.test(all[0]!.word ?? ''))) return false
  const { crs } = beside
  let [far, coarse, compared, unread] = [0, 0, 0, 0]
  for (const fields of rows) {
    const cells = [latitude, longitude].map((all) => cellOf(fields, all))
    const figures = gridCheckFigures(fields, beside, decimal, crs?.unit)
    if (!figures || cells.some((cell) => nothing.test(cell.trim()))) continue
    const [lat, lon] = cells.map((cell) => readAngle(cell, decimal)?.degrees)
    if (lat === undefined || lon === undefined) {
      if (!cells.some((cell) => ANGLE.test(cell))) unread++
      continue
    }
    const metres = crs && metresFromGrid({ latitude: lat, longitude: lon }, figures, crs)
    if (crs && metres === undefined) continue
    compared++
    if (metres === undefined ? !cells.every(isCoarse) : metres <= FAR_METRES) continue
    far++
    if (cells.every(isCoarse)) coarse++
  }
  const needed = (compared + unread) * NEARLY_ALL
  if (needed === 0 || far + unread < needed) return false
  if (compared === 0 || (crs && coarse + unread >= needed)) return true
  const words = header.map((cell) => truncate(cell.trim(), 60))
  const without = (left: readonly Column[]) =>
    headerLine(
      words.map((word, at) => (left.some(({ index }) => index === at) ? 'unused' : word)),
      delimiter,
    )
  const names = (all: readonly Column[]) => all.map(({ name }) => `"${truncate(name, 60)}"`).join(' and ')
  const [angular, plane] = [
    [latitude[0]!, longitude[0]!],
    [beside.easting[0]!, beside.northing[0]!],
  ] as const
  const doubt = crs ? `are in other places than ${names(plane)} in ${crs.name}` : 'have too few decimals for positions'
  throw new SurveyFileError(
    'AMBIGUOUS_COLUMNS',
    `${names(angular)} can be latitude and longitude, or a width and a length, and ${doubt}: to read ${names(plane)}, import with header= and the line ${without(angular)}; to read latitude and longitude, with the line ${without(plane)}`,
  )
}

/** A plain number with fewer than four decimals: 10 m of latitude or more. */
const isCoarse = (cell: string): boolean => /^\s*[+-]?\d+(?:[.,]\d{0,3})?\s*$/.test(cell)
