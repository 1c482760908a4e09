import type { DatabaseOptions } from '../database.ts'

/** To the thread. It opens a pool for each database that it is asked for. */
export type Statement = { id: number; database: DatabaseOptions; text: string; values: unknown[] }
/** `abandoned` ends the connection of a statement. `isEnding` ends all; then the thread exits. */
export type ToThread = Statement | { abandoned: number } | { isEnding: true }

/** What `databaseError` reads of an error. */
export type Failure = { message: string; code?: string | undefined; severity?: string | undefined }
export type FromThread = { id: number; rows: object[] } | { id: number; failure: Failure }
