import { placeOf } from '../load/game.ts'
import type { Findings } from '../row.ts'
import type { Sql } from '../sites/sql.ts'

/** A score: its acknowledged value, and the possible values of writes without a response. */
type Score = { acknowledged: number; since: Set<number>; before: Set<number> }
/** A record to be created under a unique name. */
type Thing = { state: 'unknown' | 'acknowledged' | 'refused'; id?: string | number }
export type Kind = 'player' | 'gcp'

export type WriteRecorder = ReturnType<typeof createWriteRecorder>

/** Records every write and its response. A write without a response, or with 503, may or may not have been done; it may be done after a later acknowledged one only if the fault delays bytes (`isHeldBack`). */
export function createWriteRecorder() {
  const scores = new Map<string, Score>()
  const things = { player: new Map<string, Thing>(), gcp: new Map<string, Thing>() }
  let acknowledged = 0

  const scoreAt = (session: string, player: string): Score => {
    const place = placeOf(session, player)
    const known = scores.get(place) ?? { acknowledged: 0, since: new Set<number>(), before: new Set<number>() }
    scores.set(place, known)
    return known
  }

  return {
    scoreSent(session: string, player: string, value: number): void {
      scoreAt(session, player).since.add(value)
    },
    scoreAcknowledged(session: string, player: string, value: number): void {
      const score = scoreAt(session, player)
      score.since.delete(value)
      for (const earlier of score.since) score.before.add(earlier)
      score.since.clear()
      score.acknowledged = value
      acknowledged++
    },
    scoreRefused(session: string, player: string, value: number): void {
      scoreAt(session, player).since.delete(value)
    },

    sent(kind: Kind, name: string): void {
      things[kind].set(name, { state: 'unknown' })
    },
    acknowledged(kind: Kind, name: string, id: string | number): void {
      const known = things[kind].get(name)
      // A repeat that returns another record is a duplicate, which the count by name would show too.
      things[kind].set(name, { state: 'acknowledged', id: known?.id ?? id })
      acknowledged++
    },
    refused(kind: Kind, name: string): void {
      things[kind].set(name, { state: 'refused' })
    },

    get count() {
      return acknowledged
    },

    /** Compares the database with the recorded writes. @returns the number of writes without a response that are present */
    async check(sql: Sql, appId: string, wrong: Findings, { isHeldBack = false } = {}): Promise<number> {
      let unansweredButThere = 0
      const kept = await sql<{ session_id: string; player_id: string; score: number }>(
        'select session_id, player_id, score from session_players where app_id = $1',
        [appId],
      )
      const found = new Map(kept.map((row) => [placeOf(row.session_id, row.player_id), row.score]))
      for (const [place, score] of scores) {
        const value = found.get(place)
        if (value === score.acknowledged) continue
        const isLater = value !== undefined && (score.since.has(value) || (isHeldBack && score.before.has(value)))
        if (isLater) unansweredButThere++
        else wrong.add('acknowledged score lost', `${place} is ${value}, acknowledged ${score.acknowledged}`)
      }
      const players = await sql<{ name: string; id: string }>(
        'select display_name as name, id::text from players where app_id = $1',
        [appId],
      )
      // A point without a pin is an incomplete write.
      const points = await sql<{ name: string; id: string }>(
        `select g.title as name, g.id::text from gcps g join pins p on p.gcp_id = g.id where g.title like 'Fault %'`,
      )
      unansweredButThere += compare(
        'player',
        players.filter(({ name }) => name.startsWith('Fault ')),
        wrong,
      )
      unansweredButThere += compare('gcp', points, wrong)
      return unansweredButThere
    },
  }

  function compare(kind: Kind, rows: { name: string; id: string }[], wrong: Findings): number {
    const found = new Map<string, string[]>()
    for (const { name, id } of rows) found.set(name, [...(found.get(name) ?? []), id])
    let unanswered = 0
    for (const [name, { state, id }] of things[kind]) {
      const ids = found.get(name) ?? []
      if (ids.length > 1) wrong.add(`${kind} created twice with one Idempotency-Key`, `${name}: ${ids.join(', ')}`)
      if (state === 'acknowledged' && ids[0] !== String(id))
        wrong.add(`acknowledged ${kind} lost`, `${name} ${id}: ${ids}`)
      if (state === 'refused' && ids.length > 0) wrong.add(`refused ${kind} is there`, name)
      if (state === 'unknown') unanswered += ids.length
    }
    for (const name of found.keys()) if (!things[kind].has(name)) wrong.add(`${kind} that nobody sent`, name)
    return unanswered
  }
}
