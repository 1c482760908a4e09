import type { SurveyTable } from '../../table.ts'
import { truncate } from '../../truncate.ts'
import type { Line } from '../records/lines.ts'
import { type Found, faultOf, isNumber } from '../records/point-table.ts'
import { accuraciesIn, degreesOf, type RawRecord, rawRecordOf } from './raw-record.ts'

/** Units of `UN` as words of `rows/values/units.ts`, with their length in metres. */
const units: Record<string, [word: string, metres: number]> = {
  0: ['ft', 0.3048],
  1: ['m', 1],
  2: ['US survey foot', 1200 / 3937],
}
/** Shots of a total station: angles and distances only. */
const measured = ['SS', 'TR', 'FD', 'FR', 'BD', 'BR', 'CL', 'BL', 'SD']

export function rawReader() {
  let unit: [word: string, metres: number] | undefined
  let rod: number | undefined
  let isGeodetic = false
  let leftOut = 0
  const heights = { reduced: 0, left: 0 }

  return {
    /** The unit of the mode record (MO); undefined without one. */
    unit: () => unit?.[0],

    /** Whether the first points have latitudes; then points with grid coordinates only fail. */
    decide(sample: readonly Found[]): boolean {
      isGeodetic = sample.some(({ cells }) => cells.latitude !== undefined)
      if (isGeodetic) for (const found of sample) if (!found.cells.latitude) found.fault ??= gridOnly()
      return isGeodetic
    },

    async *read(lines: AsyncIterable<Line>): AsyncGenerator<Found, void, undefined> {
      let held: Found | undefined
      for await (const { text, number } of lines) {
        if (text.startsWith('--')) {
          if (held) complete(held, text)
          continue
        }
        const record = rawRecordOf(text)
        const found = read(record, number)
        if (!found) continue
        if (held) yield held
        held = found
      }
      if (held) yield held
    },

    notices: (): ReturnType<NonNullable<SurveyTable['notices']>> => [
      ...(leftOut > 0
        ? [
            {
              code: 'RECORDS_LEFT_OUT' as const,
              message: `${leftOut} ${leftOut === 1 ? 'record is of a kind that holds' : 'records are of kinds that hold'} no point, and ${leftOut === 1 ? 'was' : 'were'} left out`,
            },
          ]
        : []),
      ...(heights.reduced + heights.left > 0 ? [{ code: 'ANTENNA_HEIGHTS' as const, message: heightMessage() }] : []),
    ],
  }

  function heightMessage(): string {
    const reduced = 'heights of GPS records are those of the antenna, less the rod height (LS,HR) above them'
    return heights.left > 0 ? `${reduced}; ${heights.left} without a rod height above them were left out` : reduced
  }

  function read(record: RawRecord, line: number): Found | undefined {
    const { type, values, note } = record
    if (type === 'MO') unit ??= units[values.UN ?? '']
    if (type === 'LS') rod = isNumber(values.HR ?? '') && unit ? Number(values.HR) * unit[1] : undefined
    if (type === 'GPS') return geodetic(record, line)
    if (type === 'SP' || type === 'OC') {
      const title = values.PN ?? values.OP ?? ''
      if (isGeodetic) return { line, title, cells: {}, fault: gridOnly() }
      const cells = { northing: values.N ?? '', easting: values.E ?? '', altitude: values.EL ?? '', description: note }
      return { line, title, cells }
    }
    if (measured.includes(type)) {
      const message = `the record (${type}) is a measurement without coordinates: export the points of the job`
      return { line, title: values.FP ?? '', cells: {}, fault: faultOf('NO_COORDINATES', message) }
    }
    if (/^[A-Z][A-Z0-9]{1,3}$/.test(type)) {
      leftOut++
      return undefined
    }
    const message = `"${truncate(type, 60)}" is not a record of RW5`
    return { line, title: '', cells: {}, fault: faultOf('NO_COORDINATES', message) }
  }

  function geodetic({ values, note }: RawRecord, line: number): Found {
    const title = values.PN ?? ''
    const latitude = degreesOf(values.LA ?? '')
    const longitude = degreesOf(values.LN ?? '')
    if (latitude === undefined || longitude === undefined) {
      const message = `latitude "${truncate(values.LA ?? '', 40)}" and longitude "${truncate(values.LN ?? '', 40)}" are not degrees, minutes and seconds as in 42.2146309`
      return { line, title, cells: {}, fault: faultOf('NOT_A_NUMBER', message) }
    }
    return {
      line,
      title,
      cells: { latitude, longitude, ellipsoidalHeight: ground(values.EL ?? ''), description: note },
    }
  }

  /** The ground height below the antenna in metres; undefined if the rod height is unknown. */
  function ground(height: string): string {
    if (!isNumber(height)) return height
    if (rod === undefined) {
      heights.left++
      return ''
    }
    heights.reduced++
    return (Number(height) - rod).toFixed(4)
  }
}

/** Adds the comments below a point to it. */
function complete(found: Found, comment: string) {
  if (comment.startsWith('--GS,')) {
    const { values } = rawRecordOf(comment)
    if (values.PN === found.title && found.cells.latitude !== undefined) found.cells.altitude = values.EL ?? ''
  } else Object.assign(found.cells, found.cells.latitude === undefined ? {} : accuraciesIn(comment))
}

const gridOnly = () =>
  faultOf(
    'NO_COORDINATES',
    'the point has grid coordinates only, but other points of the file have latitude and longitude: export it by itself as CSV',
  )
