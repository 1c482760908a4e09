/** A value of a row that cannot be used. */
export type Fault = { code: string; message: string }

const WHOLE = /^[+-]?\d+$/
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i
/** Clocks of other services may be ahead by this much. */
const AHEAD_MS = 60_000

const shown = (value: unknown) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
const isMissing = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** A score: a finite number, which a double holds exactly if it is written as a whole one. */
export function readScore(value: unknown): number | Fault {
  if (isMissing(value)) return { code: 'score_missing', message: 'The score is missing' }
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const score = NUMBER.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(score))
    return { code: 'score_invalid', message: `The score "${shown(value)}" is not a number: write it like 1250 or 98.5` }
  if (WHOLE.test(text) && BigInt(text.replace('+', '')) !== BigInt(score))
    return { code: 'score_inexact', message: `The score ${shown(value)} has more digits than a score can hold exactly` }
  return score + 0
}

/**
 * A moment as text in UTC with microseconds, so that texts sort by time; undefined if none is given. Accepts ISO 8601 with
 * `T` or a space, in UTC without an offset, and as a number seconds since 1970.
 */
export function readMoment(value: unknown, now: number): string | undefined | Fault {
  if (isMissing(value)) return undefined
  const [ms, micros] = typeof value === 'number' ? [value * 1000, '000'] : parsed(String(value).trim())
  if (!Number.isFinite(ms) || ms < 0 || ms > 8e15)
    return {
      code: 'time_invalid',
      message: `The time "${shown(value)}" is not a time since 1970: write it like 2026-05-01T18:30:00Z`,
    }
  if (ms > now + AHEAD_MS) return { code: 'time_in_future', message: `The time ${shown(value)} is in the future` }
  return momentText(Math.floor(ms), micros)
}

function parsed(text: string): [number, string] {
  const [, day, clock = '00:00', fraction = '', offset = 'Z'] = MOMENT.exec(text) ?? []
  if (day === undefined) return [Number.NaN, '']
  const digits = fraction.padEnd(6, '0')
  const zone = /^(Z|UTC)$/i.test(offset) ? 'Z' : offset.replace(/^(.\d\d):?(\d\d)?$/, (_, h, m = '00') => `${h}:${m}`)
  const ms = Date.parse(`${day}T${clock.length === 5 ? `${clock}:00` : clock}.${digits.slice(0, 3)}${zone}`)
  // 31 June is 1 July to the parser.
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
  return [isDay ? ms : Number.NaN, digits.slice(3, 6)]
}

const momentText = (ms: number, micros: string) => new Date(ms).toISOString().replace('Z', `${micros}Z`)

/** Moments one microsecond apart that end before `now`: the order of rows without a time. */
export function momentsBefore(now: number, count: number): (index: number) => string {
  const first = BigInt(now) * 1000n - BigInt(count)
  return (index) => {
    const at = first + BigInt(index)
    return momentText(Number(at / 1000n), String(at % 1000n).padStart(3, '0'))
  }
}
