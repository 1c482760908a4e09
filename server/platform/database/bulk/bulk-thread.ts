import { parentPort } from 'node:worker_threads'
import type pg from 'pg'
import { type Database, type DatabaseOptions, openDatabase, socketOf } from '../database.ts'
import type { Failure, FromThread, Statement, ToThread } from './messages.ts'

/** Entry point of the thread of `createBulkThread`. */
const databases = new Map<string, Database>()
/** Undefined while a statement waits for its connection. */
const busy = new Map<number, pg.PoolClient | undefined>()
const port = parentPort!

port.on('message', (message: ToThread) => {
  if ('text' in message) void answer(message)
  else if ('abandoned' in message) abandon(message.abandoned)
  else void end()
})

async function answer({ id, database, text, values }: Statement): Promise<void> {
  try {
    const rows = await rowsOf(id, databaseOf(database).pool, text, values)
    const memory: ArrayBuffer[] = []
    for (const row of rows) {
      const bytes = bytesOf(row.text)
      if (!bytes) continue
      row.text = bytes
      memory.push(bytes.buffer)
    }
    port.postMessage({ id, rows } satisfies FromThread, memory)
  } catch (error) {
    port.postMessage({ id, failure: failureOf(error as Error) } satisfies FromThread)
  }
}

async function rowsOf(id: number, pool: pg.Pool, text: string, values: unknown[]): Promise<{ text?: unknown }[]> {
  busy.set(id, undefined)
  const client = await pool.connect().catch((error: unknown) => {
    busy.delete(id)
    throw error
  })
  try {
    if (!busy.has(id)) throw new Error('Connection terminated')
    busy.set(id, client)
    const { rows } = await client.query<{ text?: unknown }>(text, values)
    client.release()
    return rows
  } catch (error) {
    client.release(error as Error)
    throw error
  } finally {
    busy.delete(id)
  }
}

/** Ends the connection of a statement, or the statement before it has one. */
function abandon(id: number): void {
  socketOf(busy.get(id))?.destroy()
  busy.delete(id)
}

function databaseOf(options: DatabaseOptions): Database {
  const database = databases.get(options.url) ?? openDatabase(options)
  databases.set(options.url, database)
  return database
}

/** In memory of their own, which can be transferred. */
function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof value === 'string') return encoder.encode(value)
  return value instanceof Uint8Array ? new Uint8Array(value) : undefined
}

const encoder = new TextEncoder()

const failureOf = ({ message, code, severity }: Error & { code?: string; severity?: string }): Failure => ({
  message,
  code,
  severity,
})

async function end(): Promise<void> {
  await Promise.all([...databases.values()].map((database) => database.close()))
  port.close()
}
