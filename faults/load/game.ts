import { type Client, expectStatus } from './client.ts'

/** An app with boards, sessions and registered players, for the writers. */
export type Game = {
  key: string
  appId: string
  /** A session token of a user who may create points. */
  token: string
  /** Sessions and their boards. */
  sessions: { id: string; typeId: string | undefined }[]
  /** The boards: the default game with two sessions, and one with ascending order. */
  boards: { typeId: string | undefined; ascending: boolean }[]
  players: string[]
}

const APPS = '/api/v1/apps'
let count = 0

/**
 * Creates a game through the API.
 * @param token of a user who may create points (ops)
 */
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

/** Writes a first score for every player, so that each has a rank. */
export async function scoreEveryPlayer(client: Client, { key, sessions, players }: Game): Promise<void> {
  const headers = { 'x-app-api-key': key }
  for (const [at, player] of players.entries()) {
    const path = `${APPS}/game-sessions/${sessions[0]!.id}/players/${player}`
    await expectStatus(client.send({ method: 'PATCH', path, headers, body: { score: at } }))
  }
}

/** The key of a score: session and player. */
export const placeOf = (session: string, player: string) => `${session} ${player}`
