import type { Field } from '../records/point-table.ts'

/** A column of the export: its name, the field it is read as, its unit, and its number of fields in a line. */
export type Column = { name: string; field: Field | undefined; unit: string; parts: number }

const fieldsByName: Record<string, Field> = {
  station: 'title',
  name: 'title',
  point: 'title',
  feature: 'title',
  latitude: 'latitude',
  longitude: 'longitude',
  'h-ell': 'ellipsoidalHeight',
  hell: 'ellipsoidalHeight',
  'h-msl': 'altitude',
  hmsl: 'altitude',
  northing: 'northing',
  easting: 'easting',
  sdnorth: 'accuracyNorthing',
  sdeast: 'accuracyEasting',
  sdheight: 'accuracyV',
  sdhoriz: 'accuracyH',
  description: 'description',
}

const MAX_LINE = 2000

/**
 * Whether a line is a GrafNav header and the line below it has units in brackets. Requires `H-Ell`, `H-MSL` or angles
 * in three fields: other tables have a line of units too.
 */
export function isHeaderLine(line: string, below: string): boolean {
  if (line.length > MAX_LINE || below.length > MAX_LINE || /[,;\t]/.test(line)) return false
  const names = line
    .trim()
    .split(/\s+/)
    .map((name) => name.toLowerCase())
  const hasPair = ['latitude longitude', 'easting northing'].some((pair) =>
    pair.split(' ').every((name) => names.includes(name)),
  )
  const isOwn = names.includes('h-ell') || names.includes('h-msl') || /\((?:\+\/-)?D M S\)/i.test(below)
  return hasPair && isOwn && /^[\s()\w.+/-]{3,}$/.test(below) && /\((?:(?:\+\/-)?D M S|deg|m|ft)\)/i.test(below)
}

/** The columns of a header, each with its unit. */
export function columnsOf(line: string, below: string): Column[] {
  const units = [...below.matchAll(/\(([^()]{1,20})\)/g)].map((match) => ({
    unit: match[1]!.trim(),
    middle: match.index + match[0].length / 2,
  }))
  const words = [...line.matchAll(/\S+/g)]
  const middles = words.map((match) => match.index + match[0].length / 2)
  const unitBelow = new Map<number, string>()
  for (const { unit, middle } of units) {
    const distances = middles.map((at) => Math.abs(at - middle))
    unitBelow.set(distances.indexOf(Math.min(...distances)), unit)
  }
  return words.map(([name], i) => {
    const unit = unitBelow.get(i) ?? ''
    return {
      name,
      field: fieldsByName[name.toLowerCase()],
      unit,
      parts: /^(?:\+\/-)?[DH] M S$/i.test(unit) && !/time/i.test(name) ? 3 : 1,
    }
  })
}
