import type { RowError } from '../../errors.ts'
import { isDecimal } from '../decimal-numbers.ts'

/** The parts of a GPX file that are looked at: points, their heights, extensions, and texts that are none. */
const TOKEN =
  /<!--|<!\[CDATA\[|<(?<close>\/)?(?:\w{1,40}:)?extensions(?:\s[^<>]{0,200})?>|<(?:\w{1,40}:)?(?:(?:wpt|rtept|trkpt)(?<attributes>\s[^<>]{0,2000})?>|(?<height>ele|geoidheight)(?:\s[^<>]{0,200})?>(?<value>[^<]{0,200})<)/g
const COORDINATES = {
  lat: /\slat\s*=\s*(?:"([^"]*)"|'([^']*)')/,
  lon: /\slon\s*=\s*(?:"([^"]*)"|'([^']*)')/,
}
/** Latitudes from this one on stand for the errors of points, by their number. */
const FIRST_ERROR = 1e9

type Point = { start: number; end: number; attributes: string; fault: RowError | undefined }

/**
 * Finds the points of a GPX file whose latitude, longitude (degrees) or height (metres) is not a decimal number: GDAL
 * would read `52,5` as 52, and leave out a point without a latitude. An empty height, or one of `NaN`, is none.
 * @returns the file, in which these points have latitudes of no place, and the error that such a latitude stands for
 */
export function withoutFalseNumbers(file: Buffer): {
  file: Buffer
  faultOf: (latitude: number) => RowError | undefined
} {
  const text = file.toString('latin1')
  const faults: RowError[] = []
  const pieces: string[] = []
  let kept = 0
  for (const { start, end, attributes, fault } of pointsIn(text)) {
    if (!fault) continue
    const others = Object.values(COORDINATES).reduce((rest, pattern) => rest.replace(pattern, ''), attributes)
    pieces.push(text.slice(kept, start), ` lat="${FIRST_ERROR + faults.length}" lon="0"${others}`)
    faults.push(fault)
    kept = end
  }
  const faultOf = (latitude: number) => faults[latitude - FIRST_ERROR]
  if (faults.length === 0) return { file, faultOf }
  return { file: Buffer.from(pieces.join('') + text.slice(kept), 'latin1'), faultOf }
}

function* pointsIn(text: string): Generator<Point, void> {
  const lineOf = lineCounter(text)
  let point: Point | undefined
  let extensions = 0
  const token = new RegExp(TOKEN)
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [whole, { index }] = [found[0], found]
    if (whole === '<!--' || whole === '<![CDATA[') {
      const end = text.indexOf(whole === '<!--' ? '-->' : ']]>', index)
      if (end < 0) break
      token.lastIndex = end
      continue
    }
    const { attributes = '', height, value, close } = found.groups!
    if (/^<\/?(?:\w+:)?extensions\b/.test(whole)) {
      if (!whole.endsWith('/>')) extensions = close ? Math.max(0, extensions - 1) : extensions + 1
      continue
    }
    if (extensions > 0) continue
    if (height !== undefined) {
      const isNumber = /^\s*(?:nan\s*)?$/i.test(value!) || isDecimal(value!)
      if (point && !isNumber) point.fault ??= notDecimal(height, value!, lineOf(index))
      continue
    }
    if (point) yield point
    const end = index + whole.length - 1
    point = { start: end - attributes.length, end, attributes, fault: undefined }
    for (const [name, pattern] of Object.entries(COORDINATES)) {
      const quoted = pattern.exec(attributes)
      const degrees = quoted?.[1] ?? quoted?.[2] ?? ''
      if (!isDecimal(degrees)) point.fault ??= notDecimal(name, degrees, lineOf(index))
    }
  }
  if (point) yield point
}

/** The lines of places in a text that are asked for in order. */
function lineCounter(text: string): (at: number) => number {
  let [line, next] = [1, text.indexOf('\n')]
  return (at) => {
    for (; next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++
    return line
  }
}

function notDecimal(column: string, text: string, line: number): RowError {
  const value = Buffer.from(text.trim().slice(0, 60), 'latin1').toString('utf8')
  const message = `line ${line}: ${column} "${value}" is not a decimal number: write it as in 52.5200066`
  return { column, value, code: 'NOT_A_NUMBER', message }
}
