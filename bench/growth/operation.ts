import { pointOf } from './seed.ts'

/** The context of an operation. */
export type World = {
  app: string
  /** Headers of the app and of its owner, who is an admin. */
  key: Record<string, string>
  user: Record<string, string>
  /** Rows of each table. */
  rows: number
  webhook: string
}
export type Request = { method?: string; path: string; headers?: Record<string, string>; body?: object | FormData }
/** Sends a request and returns the JSON of its response. @throws for any status but 2xx */
// biome-ignore lint/suspicious/noExplicitAny: benchmarks read responses without knowing their types.
export type Send = (request: Request) => Promise<any>
export type Operation = {
  name: string
  /** Reads are measured first, deletions last: writes that are not vacuumed yet would affect them. */
  kind: 'read' | 'write' | 'delete'
  run: (send: Send, world: World, turn: number) => Promise<unknown>
  /** The documented reason why a longer list costs more: it counts all rows, or searches part of a text. */
  byContract?: string
}

/** A number near the middle, different each turn. */
export const some = (rows: number, turn: number) => (Math.floor(rows / 2) + turn * 7919) % rows
export const cursorOf = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
export const moment = (n: number) =>
  `${new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString().slice(0, 19).replace('T', ' ')}+00`
/** A separate number for a request that is repeated many times. */
export const around = (n: number) => `lat=${pointOf(n).latitude}&lon=${pointOf(n).longitude}`

type PathOf = (world: World, n: number) => string
type RequestOf = (world: World, n: number, turn: number) => Request

const read =
  (who: 'key' | 'user') =>
  (name: string, path: PathOf, byContract?: string): Operation => ({
    name,
    kind: 'read',
    run: (send, world, turn) => send({ path: path(world, some(world.rows, turn)), headers: world[who] }),
    ...(byContract && { byContract }),
  })
/** A GET with the app's key. */
export const get = read('key')
/** A GET of the app's owner. */
export const asUser = read('user')

/** A POST unless the request has another method. */
export const write = (name: string, request: RequestOf, who: 'key' | 'user' = 'key'): Operation => ({
  name,
  kind: 'write',
  run: (send, world, turn) => {
    const asked = request(world, some(world.rows, turn), turn)
    return send({ method: 'POST', ...asked, headers: { ...world[who], ...asked.headers } })
  },
})

/** A DELETE of a seeded record. */
export const remove = (name: string, path: PathOf, who: 'key' | 'user' = 'key'): Operation => ({
  ...write(name, (world, n) => ({ method: 'DELETE', path: path(world, n) }), who),
  kind: 'delete',
})

/** Creates a record, and deletes it. */
export const makeAndDelete = (
  name: string,
  make: RequestOf,
  // biome-ignore lint/suspicious/noExplicitAny: the response, as `Send` returns it.
  pathOf: (made: any) => string,
): Operation => ({
  name,
  kind: 'write',
  run: async (send, world, turn) => {
    const made = await send({ method: 'POST', ...make(world, some(world.rows, turn), turn), headers: world.user })
    await send({ method: 'DELETE', path: pathOf(made), headers: world.user })
  },
})
