import { parentPort } from 'node:worker_threads'
import type pg from 'pg'
import { type Database, type DatabaseOptions, openDatabase, socketOf } from '../database.ts'
import type { Failure, FromThread, Statement, ToThread } from './messages.ts'

/** Entry point of the thread of `createBulkThread`. */
const databases = new Map<string, Database>()
/** How to end each statement: by its connection, or its wait for one. */
const endings = new Map<number, () => void>()
const port = parentPort!

port.on('message', (message: ToThread) => {
  if ('text' in message) void answer(message)
  else if ('abandoned' in message) endings.get(message.abandoned)?.()
  else void end()
})

type Row = Record<string, unknown>

async function answer({ id, database, text, values }: Statement): Promise<void> {
  try {
    const rows = await rowsOf(id, databaseOf(database).pool, text, values)
    const memory: ArrayBuffer[] = []
    for (const row of rows)
      for (const [name, value] of Object.entries(row)) {
        const bytes = bytesOf(name, value)
        if (!bytes) continue
        row[name] = bytes
        memory.push(bytes.buffer)
      }
    port.postMessage({ id, rows } satisfies FromThread, memory)
  } catch (error) {
    port.postMessage({ id, failure: failureOf(error as Error) } satisfies FromThread)
  }
}

async function rowsOf(id: number, pool: pg.Pool, text: string, values: unknown[]): Promise<Row[]> {
  try {
    const client = await connected(id, pool)
    endings.set(id, () => socketOf(client)?.destroy())
    try {
      const { rows } = await client.query<Row>(text, values)
      client.release()
      return rows
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  } finally {
    endings.delete(id)
  }
}

/** A connection. One for which the statement no longer waits goes back to the pool. */
function connected(id: number, pool: pg.Pool): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    let isAbandoned = false
    endings.set(id, () => {
      isAbandoned = true
      reject(new Error('Connection terminated'))
    })
    pool.connect().then((client) => (isAbandoned ? client.release() : resolve(client)), reject)
  })
}

function databaseOf(options: DatabaseOptions): Database {
  const database = databases.get(options.url) ?? openDatabase(options)
  databases.set(options.url, database)
  return database
}

/** The column `text`, of JSON arrays their elements, and bytes, in memory of their own, which can be transferred. */
function bytesOf(name: string, value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (name !== 'text') return undefined
  if (Array.isArray(value)) return encoder.encode(JSON.stringify(value).slice(1, -1))
  return typeof value === 'string' ? encoder.encode(value) : undefined
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
