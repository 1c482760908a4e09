import { pointOf } from './seed.ts'

/** What an operation is sent with. */
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
/** Sends a request and gives the answer's JSON. @throws for any status but 2xx */
// biome-ignore lint/suspicious/noExplicitAny: a benchmark looks into answers without knowing their types.
export type Send = (request: Request) => Promise<any>
export type Operation = {
  name: string
  /** Reads are measured first, deletions last: what was written and is not tidied up yet would count for them. */
  kind: 'read' | 'write' | 'delete'
  run: (send: Send, world: World, turn: number) => Promise<unknown>
  /** What a longer list costs more by is said in the interface: it counts all there are, or looks for a part of a text. */
  byContract?: string
}

/** Somewhere in the middle, another one each turn. */
export const some = (rows: number, turn: number) => (Math.floor(rows / 2) + turn * 7919) % rows
export const cursorOf = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
export const moment = (n: number) =>
  `${new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString().slice(0, 19).replace('T', ' ')}+00`
/** A place of its own for a request that is sent again and again. */
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

/** A POST unless the request says another method. */
export const write = (name: string, request: RequestOf, who: 'key' | 'user' = 'key'): Operation => ({
  name,
  kind: 'write',
  run: (send, world, turn) => {
    const asked = request(world, some(world.rows, turn), turn)
    return send({ method: 'POST', ...asked, headers: { ...world[who], ...asked.headers } })
  },
})

/** A DELETE of what was there from the beginning. */
export const remove = (name: string, path: PathOf, who: 'key' | 'user' = 'key'): Operation => ({
  ...write(name, (world, n) => ({ method: 'DELETE', path: path(world, n) }), who),
  kind: 'delete',
})

/** Makes something of its own, and deletes it. */
export const makeAndDelete = (
  name: string,
  make: RequestOf,
  // biome-ignore lint/suspicious/noExplicitAny: the answer, as `Send` gives it.
  pathOf: (made: any) => string,
): Operation => ({
  name,
  kind: 'write',
  run: async (send, world, turn) => {
    const made = await send({ method: 'POST', ...make(world, some(world.rows, turn), turn), headers: world.user })
    await send({ method: 'DELETE', path: pathOf(made), headers: world.user })
  },
})
