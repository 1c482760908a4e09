import pg from 'pg'
import { HttpError, type Issue, UnknownOutcome } from '../errors.ts'

/** An error as it is sent to another process. */
export type PlainError = {
  message: string
  http?: { status: number; error: string | Issue[]; headers: Record<string, string> }
  isOutcomeUnknown?: true
  /** The fields of an error of the database. */
  database?: Record<string, unknown>
  /** Of a system call that failed. */
  code?: string | undefined
  syscall?: string | undefined
}

/** What the other process needs to handle an error in the same way. Stacks stay where they are. */
export function toPlain(error: unknown): PlainError {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message } = error
  if (error instanceof UnknownOutcome) return { message, isOutcomeUnknown: true }
  if (error instanceof HttpError) {
    const { status, error: body, headers } = error
    return { message, http: { status, error: body, headers } }
  }
  if (error instanceof pg.DatabaseError) return { message, database: { ...error } }
  const { code, syscall } = error as NodeJS.ErrnoException
  return { message, code, syscall }
}

/** The error that another process has sent. */
export function fromPlain({ message, http, isOutcomeUnknown, database, ...system }: PlainError): Error {
  if (isOutcomeUnknown) return new UnknownOutcome(message)
  if (http) return new HttpError(http.status, http.error, http.headers)
  if (database) return Object.assign(new pg.DatabaseError(message, message.length, 'error'), database)
  return Object.assign(new Error(message), system)
}
