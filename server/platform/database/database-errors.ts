import { setTimeout } from 'node:timers/promises'
import { conflict, HttpError, unavailable } from '../errors.ts'
import { lockTimeoutError } from './fair-pool.ts'

/**
 * SQLSTATE classes of PostgreSQL (appendix A of its manual) and Node's socket errors that mean temporary
 * unavailability.
 */
const AWAY = /^(08...|57P0[123]|53300|53200|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/
const FULL = /^(53100|ENOSPC|EDQUOT)$/
/**
 * Messages of `pg` without a code: an ended connection, a failed connect, and a rollback on a broken connection (which
 * hides the original error).
 */
const NO_CONNECTION = /Connection terminated|timeout exceeded when trying to connect|is not queryable/
/** Text that PostgreSQL cannot store: validation normally refuses it first. */
const NOT_TEXT = /^(22021|22P05)$/
const GONE = '23503'
const SLOW = '57014'
/** lock_not_available: a statement of a request has waited for a lock as long as fair-pool.ts allows. */
export const LOCKED = '55P03'
/** Two writers conflicted, and PostgreSQL rolled one back (deadlock_detected, serialization_failure). */
const IN_EACH_OTHERS_WAY = /^(40P01|40001)$/

/**
 * The HTTP error for a failed query or file write that is not a fault of the service: 503 while the database is
 * unavailable or overloaded, 507 if the disk is full, 409 if a referenced record has been deleted.
 */
export function databaseError(error: unknown): HttpError | undefined {
  if (!(error instanceof Error)) return undefined
  const code = (error as { code?: string }).code ?? ''
  if (FULL.test(code)) return new HttpError(507, 'The storage is full: free some space, then send the request again')
  if (NOT_TEXT.test(code)) return new HttpError(400, 'The request contains NUL or text that is not valid Unicode')
  // A user, an app or a zone was deleted between the check and the write.
  if (code === GONE && error.message.startsWith('insert or update'))
    return conflict('A record that this belongs to has been deleted: reload it and try again')
  if (code === LOCKED) return lockTimeoutError()
  if (code === SLOW || error.message === 'Query read timeout')
    return unavailable('The database took too long: try again', 5)
  if (IN_EACH_OTHERS_WAY.test(code))
    return unavailable('The request conflicted with another one and changed nothing: try again', 1)
  // The socket file of a PostgreSQL that is down; any other missing file is a fault of the service.
  const noSocket = code === 'ENOENT' && (error as { syscall?: string }).syscall === 'connect'
  // PostgreSQL ended or refused the connection, for any reason.
  const { severity } = error as { severity?: string }
  if (AWAY.test(code) || noSocket || severity === 'FATAL' || severity === 'PANIC' || NO_CONNECTION.test(error.message))
    return unavailable('The database is busy or unreachable. Retry in 2 seconds', 2)
  return undefined
}

const OUT_OF_MEMORY = '53200'
/** In milliseconds. */
const RETRIES_END = 15_000

/**
 * Runs a transaction, and again when PostgreSQL rolled it back because of others: it waited too long for a lock, it
 * conflicted, it took too long, or memory was short. Pauses 0.1 s, then twice as long each time. Begins none later than
 * 15 s after the first. @throws the last error
 */
export async function retryTransaction<T>(transaction: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (let pause = 100; ; pause *= 2) {
    try {
      return await transaction()
    } catch (error) {
      const code = (error as { code?: string }).code ?? ''
      const isPassing = [LOCKED, SLOW, OUT_OF_MEMORY].includes(code) || IN_EACH_OTHERS_WAY.test(code)
      if (!isPassing || performance.now() - began + pause > RETRIES_END) throw error
    }
    await setTimeout(pause)
  }
}

/** Whether a write violates a unique constraint (SQLSTATE unique_violation). */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === '23505'
