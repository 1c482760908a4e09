import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** A piece of work, and whether anything that it wrote is committed, or may be. */
export type Work = { hasCommitted: boolean }

const current = new AsyncLocalStorage<Work | undefined>()

/** Does what it is given, and notes in the work what that commits on connections of {@link noteCommits}. */
export const notingCommits = <T>(work: Work, run: () => T): T => current.run(work, run)

const WRITES = /\b(insert|update|delete|merge|truncate|copy|create|alter|drop)\b/i
const LOCKS_ROWS = /\bfor (no key )?update\b/gi
/** Those that the migrations create: whatever else a select calls reads. */
const WRITING_FUNCTIONS =
  /\b(address_wait|bound_backlogs|claim_deliveries|code_budget|count_rows|delete_player|delete_session|exchange_code|fold_row_counts|forget_deliveries|let_go_of_given|lock_code_space|lock_for_scores|make_code|move_session|new_event_id|new_rank_generation|note_live_codes|publish_\w+|rank_beat|recompute_best|register_player|remove_files|remove_waiting|remove_player_from_session|remove_unshown_files|save_scores?(_group)?|settle_deliveries|tell_of_pins|trim_delivery_logs|wake_deliveries)\(/i

/** Whether a statement may write. Where it cannot be told, it may. */
export const mayWrite = (text: string): boolean =>
  WRITES.test(text.replace(LOCKS_ROWS, '')) || WRITING_FUNCTIONS.test(text)

/** Notes of each statement on the connections of this pool, in the work that sends it, whether it may have committed something. */
export function noteCommits(pool: pg.Pool): void {
  pool.on('connect', noteOnConnection)
  const connect = pool.connect.bind(pool) as (told?: (...words: unknown[]) => void) => unknown
  // Who waits for a connection is told by whoever gives one back, in the course of that one's work: `pool.query` too.
  pool.connect = ((told?: (...words: unknown[]) => void) => {
    if (!told) return connect()
    const work = current.getStore()
    return connect((...words) => current.run(work, told, ...words))
  }) as typeof pool.connect
}

/** Notes of each statement on this connection, in the work that sends it, whether it may have committed something. */
function noteOnConnection(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...words: unknown[]) => unknown
  let isInTransaction = false
  let wrote = false

  /** What is to be noted of a statement once it is answered. */
  function noted(work: Work, text: string): undefined | ((error: unknown, result?: pg.QueryResult) => void) {
    if (/^(begin|rollback)\b/i.test(text)) {
      isInTransaction = /^begin/i.test(text)
      wrote = false
    } else if (/^commit\b/i.test(text)) {
      isInTransaction = false
      if (wrote)
        return (error) => {
          work.hasCommitted ||= !error || !isRefused(error)
        }
    } else if (mayWrite(text)) {
      const isWithin = isInTransaction
      return (error, result) => {
        if (isWithin) wrote ||= !error && hasWritten(text, result)
        else work.hasCommitted ||= error ? !isRefused(error) : hasWritten(text, result)
      }
    }
    return undefined
  }

  client.query = ((...words: unknown[]) => {
    const work = current.getStore()
    const text = work && textOf(words[0])
    const note = text && noted(work, text)
    if (!note) return query(...words)
    const done = words.at(-1)
    if (typeof done === 'function')
      return query(...words.slice(0, -1), (error: unknown, result: pg.QueryResult) => {
        note(error, result)
        done(error, result)
      })
    return (query(...words) as Promise<pg.QueryResult>).then(
      (result) => {
        note(undefined, result)
        return result
      },
      (error) => {
        note(error)
        throw error
      },
    )
  }) as typeof client.query
}

/** An insert, update or delete by itself that found no row wrote nothing. */
const hasWritten = (text: string, result: pg.QueryResult | undefined): boolean =>
  !(/^\s*(insert|update|delete)\b/i.test(text) && result?.rowCount === 0)

/** Undefined for a cursor, which reads. */
const textOf = (query: unknown): string | undefined => {
  if (typeof query === 'string') return query
  const { text, submit } = query as { text?: string; submit?: unknown }
  return submit ? undefined : text
}

/** What the database refused, and rolled back. A connection that it ended (FATAL), for whatever reason, says nothing of what was done on it. */
export const isRefused = (error: unknown): boolean => error instanceof pg.DatabaseError && !isOfEndedConnection(error)

/** The codes are there beside the severity, which is a translated word (SQLSTATE: connection exceptions, operator intervention, a transaction that stood still). */
const isOfEndedConnection = ({ severity, code }: pg.DatabaseError) =>
  severity === 'FATAL' || severity === 'PANIC' || /^(08|57P|25P03)/.test(code ?? '')
