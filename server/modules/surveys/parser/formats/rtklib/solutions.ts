import { truncate } from '../../truncate.ts'
import { degreesOfParts } from '../records/angles.ts'
import type { Line } from '../records/lines.ts'
import { type Found, faultOf } from '../records/point-table.ts'

type Head = {
  kind: 'geodetic' | 'ecef' | 'baseline'
  isGeodeticHeight: boolean
  datum: string | undefined
  /** Degrees, minutes and seconds in three fields. */
  isParted: boolean
  delimiter: RegExp
  names: string[]
}

/** RTKLIB's `Q`. */
const qualities: Record<string, string> = {
  1: 'fix',
  2: 'float',
  3: 'SBAS',
  4: 'DGPS',
  5: 'single',
  6: 'PPP',
}

export function solutionReader() {
  let head: Head = {
    kind: 'geodetic',
    isGeodeticHeight: false,
    datum: undefined,
    isParted: false,
    delimiter: /\s+/,
    names: [],
  }

  return {
    head: () => head,

    async *read(lines: AsyncIterable<Line>): AsyncGenerator<Found, void, undefined> {
      for await (const { text, number } of lines) {
        if (text.startsWith('%')) head = { ...head, ...headOf(text) }
        else yield solutionOf(text.trim(), number, head)
      }
    },
  }
}

/** Reads a comment of the header: `% (lat/lon/height=WGS84/ellipsoidal,Q=1:fix…)`, or the line of columns. */
function headOf(text: string): Partial<Head> {
  const about =
    /\((?:lat\/lon\/height|x\/y\/z-ecef|e\/n\/u-baseline)=([A-Za-z0-9-]{1,20})(?:\/(ellipsoidal|geodetic))?/.exec(
      text.slice(0, 200),
    )
  if (about) return { datum: about[1], isGeodeticHeight: about[2] === 'geodetic' }
  const kind = /latitude\W/.test(text)
    ? 'geodetic'
    : /x-ecef\W/.test(text)
      ? 'ecef'
      : /e-baseline\W/.test(text)
        ? 'baseline'
        : undefined
  if (!kind || !/^%\s{0,20}(?:GPST|UTC|JST)/.test(text)) return {}
  const sign = /(?:GPST|UTC|JST)\s*([,;\t|])/.exec(text.slice(0, 80))?.[1]
  const delimiter =
    sign === undefined || sign === '\t' ? /\s+/ : sign === ',' ? /\s*,\s*/ : sign === ';' ? /\s*;\s*/ : /\s*\|\s*/
  const names = text
    .slice(1)
    .trim()
    .split(delimiter)
    .map((name) => name.replace(/\(.*/, ''))
  return { kind, delimiter, names, isParted: /latitude\(d['d]/.test(text) }
}

function solutionOf(text: string, line: number, head: Head): Found {
  const fields = text.split(head.delimiter)
  // With spaces, a time has two fields; with another separator, a date and time are one, week and seconds two.
  const timeFields = /^\d{4}\/\d\d\/\d\d \d/.test(fields[0] ?? '') ? 1 : 2
  const time = fields.slice(0, timeFields).join(' ')
  const rest = fields.slice(timeFields)
  if (!/^(?:\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d|\d{1,5} {1,5}\d{1,6}(?:\.|$))/.test(time))
    return failed(line, '', `"${truncate(text, 60)}" does not begin with a time`)
  const parted = head.isParted && head.kind === 'geodetic'
  const size = parted ? 3 : 1
  const after = rest.slice(2 * size)
  const [first, second] = [rest.slice(0, size), rest.slice(size, 2 * size)].map((parts) =>
    parted ? degreesOfParts(parts) : parts[0],
  )
  if (first === undefined || second === undefined || after.length === 0)
    return failed(line, time, `"${truncate(text, 60)}" does not have the coordinates that the header names`)
  const value = (name: string): string => {
    const at = head.names.indexOf(name)
    // In the header, the time is one name, and each coordinate one.
    return at < 0 ? '' : (after[at - 3] ?? '')
  }
  const [q, satellites] = [value('Q'), value('ns')]
  const description = [qualities[q] ?? (q && `Q ${q}`), satellites && `${satellites} satellites`]
    .filter(Boolean)
    .join(', ')
  if (head.kind === 'ecef') return { line, title: time, cells: { x: first, y: second, z: after[0]!, description } }
  return {
    line,
    title: time,
    cells: {
      latitude: first,
      longitude: second,
      ellipsoidalHeight: after[0]!,
      description,
      accuracyNorthing: value('sdn'),
      accuracyEasting: value('sde'),
      accuracyV: value('sdu'),
    },
  }
}

const failed = (line: number, title: string, message: string): Found => ({
  line,
  title,
  cells: {},
  fault: faultOf('NO_COORDINATES', message),
})
