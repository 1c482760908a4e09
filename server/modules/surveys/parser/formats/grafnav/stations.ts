import type { NamedSystems, SurveyTable } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import { degreesOfParts } from '../records/angles.ts'
import type { Line } from '../records/lines.ts'
import { type Field, type FieldColumn, type Found, faultOf } from '../records/point-table.ts'
import { type Column, columnsOf, isHeaderLine } from './header.ts'

const MAX_REMARKS = 60
const lengths: readonly Field[] = [
  'northing',
  'easting',
  'ellipsoidalHeight',
  'altitude',
  'accuracyNorthing',
  'accuracyEasting',
  'accuracyV',
  'accuracyH',
]

export function stationReader() {
  let columns: Column[] = []
  const remarks: string[] = []
  let below = 0
  const has = (field: Field) => columns.some((column) => column.field === field)
  const isGeodetic = () => has('latitude') && has('longitude')

  return {
    async *read(lines: AsyncIterable<Line>): AsyncGenerator<Found, void, undefined> {
      let above: Line | undefined
      for await (const line of lines) {
        if (columns.length === 0) {
          if (above && isHeaderLine(above.text, line.text)) columns = columnsOf(above.text, line.text)
          else if (above && remarks.length < MAX_REMARKS) remarks.push(above.text)
          above = line
        } else if (/\d/.test(line.text)) yield stationOf(line)
        else below++
      }
    },

    columns(): FieldColumn[] {
      const pair: Field[] = isGeodetic() ? ['latitude', 'longitude'] : ['northing', 'easting']
      const others: Field[] = [...lengths.filter((field) => !pair.includes(field)), 'description']
      const used = others.filter((field) => has(field) && field !== 'northing' && field !== 'easting')
      const unitOf = (field: Field) => columns.find((column) => column.field === field)?.unit
      return [...pair, ...used]
        .map((field) => (lengths.includes(field) ? { field, unit: unitOf(field) } : field))
        .concat('title')
    },

    systems: (): NamedSystems => ({
      crs: undefined,
      crsLine: undefined,
      titles: remarks.filter((remark) =>
        (isGeodetic() ? /^\s*datum/i : /^\s*(?:map )?projection|^\s*grid/i).test(remark.slice(0, 40)),
      ),
    }),

    notices: (): ReturnType<NonNullable<SurveyTable['notices']>> =>
      below === 0
        ? []
        : [
            {
              code: 'RECORDS_LEFT_OUT',
              message: `${below} ${below === 1 ? 'line' : 'lines'} below the header without a number ${below === 1 ? 'was' : 'were'} left out`,
            },
          ],
  }

  function stationOf({ text, number }: Line): Found {
    const fields = text.trim().split(/\s+/)
    const width = columns.reduce((sum, { parts }) => sum + parts, 0)
    const named = columns.find(({ field }) => field === 'title')
    const title = named === columns[0] ? (fields[0] ?? '') : ''
    // A name with spaces or a missing name shifts all following fields.
    if (fields.length !== width) {
      const message = `the line has ${fields.length} fields where its header has ${width}: "${truncate(text.trim(), 60)}"`
      return { line: number, title, cells: {}, fault: faultOf('RAGGED_ROW', message) }
    }
    const cells: Found['cells'] = {}
    let at = 0
    for (const { field, parts } of columns) {
      const own = fields.slice(at, at + parts)
      at += parts
      if (field) cells[field] = parts === 3 ? (degreesOfParts(own) ?? own.join(' ')) : own[0]!
    }
    const time = columns.findIndex(({ name }) => /^(?:utc|gps|local)?time$/i.test(name))
    return { line: number, title: cells.title ?? (time >= 0 ? fields[offset(time)]! : ''), cells }
  }

  function offset(index: number): number {
    return columns.slice(0, index).reduce((sum, { parts }) => sum + parts, 0)
  }
}
