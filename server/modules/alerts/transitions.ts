import type { Condition } from './conditions.ts'

/** How long a condition lasts before its alert opens. */
const OPENS_AFTER_MS = 2 * 60_000
/** How long it is gone before the alert ends. A condition that comes and goes sooner remains one alert. */
const ENDS_AFTER_MS = 10 * 60_000

/** An alert that has not ended. Times are milliseconds since 1970. */
export type Unfinished = {
  id: string
  kind: string
  subject: string
  seenAt: number
  openedAt: number | null
  goneAt: number | null
}

/** What a look at the conditions changes. */
export type Transitions = {
  seen: Condition[]
  /** Open now, with what is seen now. */
  opened: { id: string; summary: string; figures: Condition['figures'] }[]
  /** Not there any more, from now on. */
  gone: string[]
  /** There again: the alert stays open. */
  back: string[]
  ended: string[]
  /** Gone before they opened. */
  forgotten: string[]
}

/** The transitions from the unfinished alerts of one app, or of the installation, to what is seen at a time. */
export function transitions(unfinished: Unfinished[], conditions: Condition[], now: number): Transitions {
  const nameOf = ({ kind, subject }: { kind: string; subject: string }) => `${kind} ${subject}`
  const there = new Map(conditions.map((condition) => [nameOf(condition), condition]))
  const known = new Set(unfinished.map(nameOf))
  const isThere = (alert: Unfinished) => there.has(nameOf(alert))
  const absent = unfinished.filter((alert) => !isThere(alert))
  const idOf = ({ id }: Unfinished) => id
  const isOver = ({ goneAt }: Unfinished) => goneAt !== null && now - goneAt >= ENDS_AFTER_MS
  return {
    seen: conditions.filter((condition) => !known.has(nameOf(condition))),
    opened: unfinished
      .filter((alert) => isThere(alert) && alert.openedAt === null && now - alert.seenAt >= OPENS_AFTER_MS)
      .map((alert) => {
        const { summary, figures } = there.get(nameOf(alert))!
        return { id: alert.id, summary, figures }
      }),
    gone: absent.filter(({ openedAt, goneAt }) => openedAt !== null && goneAt === null).map(idOf),
    back: unfinished.filter((alert) => isThere(alert) && alert.goneAt !== null).map(idOf),
    ended: absent.filter(isOver).map(idOf),
    forgotten: absent.filter(({ openedAt }) => openedAt === null).map(idOf),
  }
}
