import { invalid } from '../../../platform/errors.ts'

/** A stretch of time, ends included, in UTC with milliseconds; undefined is open. */
export type Interval = { from: string | undefined; to: string | undefined }

const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** Reads a datetime as OGC API Features has it (17-069r4, 7.15.4): a moment of RFC 3339, or two with a `/`, of which one may be open. @throws 400 */
export function readInterval(text: string): Interval {
  const ends = text.split('/')
  if (ends.length > 2) throw fault(text)
  const [from, to] = ends.map((end) => (ends.length === 2 && (end === '' || end === '..') ? undefined : moment(end)))
  if (ends.length === 1) return { from, to: from }
  if (from !== undefined && to !== undefined && from > to)
    throw invalid([{ code: 'custom', message: 'the interval in datetime ends before it begins', path: ['datetime'] }])
  return { from, to }

  function moment(end: string): string {
    const day = MOMENT.exec(end)?.[1]
    const exists = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
    const inUtc = exists ? new Date(end).toJSON() : null
    if (!inUtc || !/^(?!0000)\d{4}-/.test(inUtc)) throw fault(text)
    return inUtc
  }
}

const fault = (text: string) =>
  invalid([
    {
      code: 'custom',
      message: `"${text.slice(0, 60)}" is no moment such as 2026-01-31T12:00:00Z, nor an interval of two with a / between (.. for an open end)`,
      path: ['datetime'],
    },
  ])
