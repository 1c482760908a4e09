import { SurveyFileError } from '../../errors.ts'
import { gridCheckFigures, metresFromGrid } from '../../rows/grid-check.ts'
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
/** Part of the rows. */
const NEARLY_ALL = 0.9

/**
 * Refuses columns such as `Breite` and `Länge` beside grid coordinates if they are somewhere else, or, where the system
 * of the grid is unknown, too coarse for positions: they may be the width and length of a thing.
 * @throws SurveyFileError AMBIGUOUS_COLUMNS with the header lines to choose from
 */
export function refuseDimensions(
  { kind, columns, decimal, beside, angles }: Layout,
  rows: readonly string[][],
  header: readonly string[],
  { delimiter }: LayoutContext,
): void {
  if (kind !== 'geodetic' || !beside || (angles && angles !== 'decimal')) return
  const [latitude, longitude] = [columns.latitude!, columns.longitude!]
  if (![latitude, longitude].every((all) => DIMENSION.test(all[0]!.word ?? ''))) return
  const { crs } = beside
  let [far, compared] = [0, 0]
  for (const fields of rows) {
    const cells = [latitude, longitude].map((all) => cellOf(fields, all))
    const [lat, lon] = cells.map((cell) => readAngle(cell, decimal)?.degrees)
    const figures = gridCheckFigures(fields, beside, decimal, crs?.unit)
    if (lat === undefined || lon === undefined || !figures) continue
    const metres = crs && metresFromGrid({ latitude: lat, longitude: lon }, figures, crs)
    if (crs && metres === undefined) continue
    compared++
    if (metres === undefined ? cells.every(isCoarse) : metres > FAR_METRES) far++
  }
  if (compared === 0 || far < compared * NEARLY_ALL) return
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
