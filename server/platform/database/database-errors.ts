import { conflict, HttpError, unavailable } from '../errors.ts'
import { lockTimeoutError } from './fair-pool.ts'

/** PostgreSQL's SQLSTATE classes (appendix A of its manual) and Node's socket errors that mean "not now" rather than "wrong". */
const AWAY = /^(08...|57P0[123]|53300|53200|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/
const FULL = /^(53100|ENOSPC|EDQUOT)$/
/** What `pg` says without a code: of a connection that ended, of one that never came about, and of a rollback on one that broke (which is what is left of the error before it). */
const NO_CONNECTION = /Connection terminated|timeout exceeded when trying to connect|is not queryable/
/** Text that PostgreSQL cannot keep: validation refuses it first, this is the net below. */
const NOT_TEXT = /^(22021|22P05)$/
const GONE = '23503'
const SLOW = '57014'
/** lock_not_available: a statement of a request waits for a lock no longer than fair-pool.ts says. */
export const LOCKED = '55P03'
/** Two writers waited for each other, and PostgreSQL took one of them back (deadlock_detected, serialization_failure). */
const IN_EACH_OTHERS_WAY = /^(40P01|40001)$/

/** What a failed query or file write means to the caller, when it is not our fault: 503 while the database is away or overloaded, 507 when the disk is full, 409 when what it refers to was deleted meanwhile. */
export function databaseError(error: unknown): HttpError | undefined {
  if (!(error instanceof Error)) return undefined
  const code = (error as { code?: string }).code ?? ''
  if (FULL.test(code)) return new HttpError(507, 'The storage is full: free some space, then send this again')
  if (NOT_TEXT.test(code)) return new HttpError(400, 'The request holds text that is not valid Unicode, or NUL')
  // A user, an app or a zone was deleted between the check and the write.
  if (code === GONE && error.message.startsWith('insert or update'))
    return conflict('Something that this belongs to was deleted meanwhile: look again')
  if (code === LOCKED) return lockTimeoutError()
  if (code === SLOW || error.message === 'Query read timeout')
    return unavailable('The database took too long: try again', 5)
  if (IN_EACH_OTHERS_WAY.test(code))
    return unavailable('Somebody else was changing the same things: nothing was done, try again', 1)
  // The socket file of a PostgreSQL that is down; any other missing file is a fault of ours.
  const noSocket = code === 'ENOENT' && (error as { syscall?: string }).syscall === 'connect'
  // PostgreSQL ended the connection, or never let us in, for whatever reason of its own.
  const { severity } = error as { severity?: string }
  if (AWAY.test(code) || noSocket || severity === 'FATAL' || severity === 'PANIC' || NO_CONNECTION.test(error.message))
    return unavailable('The database is busy or cannot be reached: try again in a moment', 2)
  return undefined
}

/** Whether a write was refused because another row has that name, address or id already (SQLSTATE unique_violation). */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === '23505'
