import { type Client, expectStatus } from './client.ts'

/** An app with its boards and its players, registered everywhere: what writers write to. */
export type Game = {
  key: string
  appId: string
  /** With a session of this user points are made. */
  token: string
  /** Each with the board it counts for. */
  sessions: { id: string; typeId: string | undefined }[]
  /** Boards: the default game, which has two of the sessions, and one on which less is better. */
  boards: { typeId: string | undefined; ascending: boolean }[]
  players: string[]
}

const APPS = '/api/v1/apps'
let count = 0

/** Makes a game by the interface. @param token of a user who may make points (ops) */
export async function openGame(client: Client, token: string, { players = 32 } = {}): Promise<Game> {
  const owner = { authorization: `Bearer ${token}` }
  const made = await expectStatus(
    client.send({
      method: 'POST',
      path: APPS,
      headers: owner,
      body: { name: `Faults ${++count}`, description: 'Holds' },
    }),
  )
  const { id: appId, apiKey: key } = made.body as { id: string; apiKey: string }
  const post = async (path: string, body: object) =>
    (
      await expectStatus(
        client.send({ method: 'POST', path: `${APPS}/${path}`, headers: { 'x-app-api-key': key }, body }),
      )
    ).body
  const { id: typeId } = await post('mini-game-types', { name: 'Race', sortOrder: 'asc' })
  const sessions: Game['sessions'] = []
  for (const miniGameTypeId of [undefined, undefined, typeId as string]) {
    const { id } = await post('game-sessions', miniGameTypeId ? { miniGameTypeId } : {})
    sessions.push({ id, typeId: miniGameTypeId })
  }
  const ids: string[] = []
  for (let i = 0; i < players; i++) {
    const { id } = await post('players', { displayName: `Player ${i}` })
    for (const session of sessions) await post(`game-sessions/${session.id}/players`, { playerId: id })
    ids.push(id)
  }
  const boards = [
    { typeId: undefined, ascending: false },
    { typeId, ascending: true },
  ]
  return { key, appId, token, sessions, boards, players: ids }
}

/** A first score for every player, so that each has a rank. */
export async function scoreEveryPlayer(client: Client, { key, sessions, players }: Game): Promise<void> {
  const headers = { 'x-app-api-key': key }
  for (const [at, player] of players.entries()) {
    const path = `${APPS}/game-sessions/${sessions[0]!.id}/players/${player}`
    await expectStatus(client.send({ method: 'PATCH', path, headers, body: { score: at } }))
  }
}

/** The place of one score: who has it, and where. */
export const placeOf = (session: string, player: string) => `${session} ${player}`
