import { ask, formOf, send } from '../../load/http-client.ts'
import type { PocketBase } from '../../peers/pocketbase.ts'
import { type BoardService, somePlayers } from '../../processes/board-service.ts'

const NAMES = [
  'one player',
  'a board of 100',
  'a page of 50 players, with the total',
  'a score',
  'a score and its rank',
  'a file of 100 kB, stored',
  'a file of 100 kB, read',
] as const
type Name = (typeof NAMES)[number]
export type Operations = Record<Name, () => Promise<unknown>>

const JSON_TYPE = { 'content-type': 'application/json' }
const BOARD_LOADS_MS = 2000
const someScore = () => Math.random() * 1e9
const one = <Item>(items: Item[]): Item => items[Math.floor(Math.random() * items.length)]!

/** Requests to the service with an app key, which it checks. Resolves once the index of the board is loaded. */
export async function cairnOperations({ service, databaseUrl, app }: BoardService): Promise<Operations> {
  const players = await somePlayers(databaseUrl, app.id, 50_000)
  const apps = `${service.url}/api/v1/apps`
  const headers = { 'x-app-api-key': app.apiKey }
  const save = (player: string) => {
    const body = JSON.stringify({ score: someScore() })
    const asked = { method: 'PATCH', headers: { ...headers, ...JSON_TYPE }, body }
    return send(`${apps}/game-sessions/${app.id}/players/${player}`, asked)
  }
  const rank = (player: string) => send(`${apps}/players/${player}/global-ranking`, { headers })
  const store = () => ask(`${service.url}/api/upload`, form())
  const stored = JSON.parse(await store()).results[0].url as string

  await rank(players[0]!)
  await new Promise((resolve) => setTimeout(resolve, BOARD_LOADS_MS))
  return {
    'one player': () => send(`${apps}/players/${one(players)}`, { headers }),
    'a board of 100': () => send(`${apps}/leaderboards/mini-game?limit=100`, { headers }),
    'a page of 50 players, with the total': () => send(`${apps}/players?limit=50`, { headers }),
    'a score': () => save(one(players)),
    'a score and its rank': async () => {
      const player = one(players)
      await save(player)
      await rank(player)
    },
    'a file of 100 kB, stored': store,
    'a file of 100 kB, read': () => send(stored),
  }
}

/** The same requests to PocketBase, whose collections are public: it checks no credential. */
export async function pocketBaseOperations({ url, ids }: PocketBase): Promise<Operations> {
  const players = `${url}/api/collections/players/records`
  const files = `${url}/api/collections/files/records`
  const save = (player: string, score: number) =>
    send(`${players}/${player}`, { method: 'PATCH', headers: JSON_TYPE, body: JSON.stringify({ score }) })
  const store = () => ask(files, form())
  const { id, file } = JSON.parse(await store()) as { id: string; file: string }

  return {
    'one player': () => send(`${players}/${one(ids)}`),
    'a board of 100': () => send(`${players}?perPage=100&sort=-score&skipTotal=1`),
    'a page of 50 players, with the total': () => send(`${players}?perPage=50`),
    'a score': () => save(one(ids), someScore()),
    'a score and its rank': async () => {
      const score = someScore()
      await save(one(ids), score)
      await send(`${players}?perPage=1&fields=id&filter=${encodeURIComponent(`score>${score}`)}`)
    },
    'a file of 100 kB, stored': store,
    'a file of 100 kB, read': () => send(`${url}/api/files/files/${id}/${file}`),
  }
}

const CONTENT = 'x'.repeat(100_000)
let forms = 0

/** A file, different each time. */
const form = () => formOf(`${++forms}.txt`, forms + CONTENT)
