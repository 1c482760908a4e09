import { formOf } from '../../multipart.ts'
import { apps, at, key, type Rule } from './rules.ts'

/** Players, mini game types, sessions and leaderboards. */
export const scoringTable: Record<string, Rule> = {
  [`GET ${apps}/players`]: key(200, undefined, () => at(`${apps}/players`)),
  [`POST ${apps}/players`]: key(200, undefined, () => at(`${apps}/players`, { displayName: `P${Math.random()}` })),
  [`GET ${apps}/players/{id}`]: key(200, 404, (t) => at(`${apps}/players/${t.player}`)),
  [`PATCH ${apps}/players/{id}`]: key(200, 403, (t) => at(`${apps}/players/${t.player}`, { displayName: 'Renamed' })),
  [`DELETE ${apps}/players/{id}`]: key(204, 404, async (t) => at(`${apps}/players/${await t.newPlayer()}`)),
  [`PATCH ${apps}/players/{id}/profile-image`]: key(400, 403, (t) =>
    at(`${apps}/players/${t.player}/profile-image`, formOf({ field: 'image', name: 'a.png', bytes: 'no picture' })),
  ),
  [`DELETE ${apps}/players/{id}/profile-image`]: key(200, 403, (t) => at(`${apps}/players/${t.player}/profile-image`)),
  [`GET ${apps}/players/{id}/storage`]: key(200, 404, (t) => at(`${apps}/players/${t.player}/storage`)),
  [`GET ${apps}/players/{id}/storage/{key}`]: key(200, 404, async (t) => at(await t.newStorageKey())),
  [`PUT ${apps}/players/{id}/storage/{key}`]: key(200, 404, async (t) => at(await t.newStorageKey(), { level: 2 })),
  [`DELETE ${apps}/players/{id}/storage/{key}`]: key(204, 404, async (t) => at(await t.newStorageKey())),
  [`GET ${apps}/players/{playerId}/global-ranking`]: key(200, 404, (t) =>
    at(`${apps}/players/${t.player}/global-ranking`),
  ),
  [`GET ${apps}/players/{playerId}/scores`]: key(200, 404, (t) => at(`${apps}/players/${t.player}/scores`)),

  [`GET ${apps}/mini-game-types`]: key(200, undefined, () => at(`${apps}/mini-game-types`)),
  [`POST ${apps}/mini-game-types`]: key(201, undefined, () =>
    at(`${apps}/mini-game-types`, { name: `T${Math.random()}` }),
  ),
  [`GET ${apps}/mini-game-types/{id}`]: key(200, 404, (t) => at(`${apps}/mini-game-types/${t.type}`)),
  [`PATCH ${apps}/mini-game-types/{id}`]: key(200, 404, (t) =>
    at(`${apps}/mini-game-types/${t.type}`, { description: 'x' }),
  ),
  [`DELETE ${apps}/mini-game-types/{id}`]: key(204, 404, async (t) =>
    at(`${apps}/mini-game-types/${await t.newType()}`),
  ),
  [`POST ${apps}/mini-game-types/{id}/restore`]: key(200, 404, (t) => at(`${apps}/mini-game-types/${t.type}/restore`)),

  [`GET ${apps}/game-sessions`]: key(200, undefined, () => at(`${apps}/game-sessions`)),
  [`POST ${apps}/game-sessions`]: key(201, undefined, () => at(`${apps}/game-sessions`, {})),
  [`GET ${apps}/game-sessions/{id}`]: key(200, 404, (t) => at(`${apps}/game-sessions/${t.session}`)),
  [`PATCH ${apps}/game-sessions/{id}`]: key(200, 404, (t) => at(`${apps}/game-sessions/${t.session}`, { name: 'x' })),
  [`DELETE ${apps}/game-sessions/{id}`]: key(204, 404, async (t) =>
    at(`${apps}/game-sessions/${await t.newSession()}`),
  ),
  [`GET ${apps}/game-sessions/{id}/leaderboard`]: key(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/leaderboard`),
  ),
  [`GET ${apps}/game-sessions/{id}/players`]: key(200, 404, (t) => at(`${apps}/game-sessions/${t.session}/players`)),
  [`POST ${apps}/game-sessions/{id}/players`]: key(201, 404, async (t) =>
    at(`${apps}/game-sessions/${t.session}/players`, { playerId: await t.newPlayer() }),
  ),
  [`POST ${apps}/game-sessions/{id}/scores`]: key(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/scores`, { scores: [{ playerId: t.player, score: 8 }] }),
  ),
  [`GET ${apps}/game-sessions/{id}/players/{playerId}`]: key(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/players/${t.player}`),
  ),
  [`PATCH ${apps}/game-sessions/{id}/players/{playerId}`]: key(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/players/${t.player}`, { score: 9 }),
  ),
  [`DELETE ${apps}/game-sessions/{id}/players/{playerId}`]: key(204, 404, async (t) => {
    const playerId = await t.newPlayer()
    await t.app.post(`${apps}/game-sessions/${t.session}/players`, { playerId })
    return at(`${apps}/game-sessions/${t.session}/players/${playerId}`)
  }),
  [`GET ${apps}/leaderboards`]: key(200, undefined, () => at(`${apps}/leaderboards`)),
  [`GET ${apps}/leaderboards/mini-game`]: key(200, 404, (t) =>
    at(`${apps}/leaderboards/mini-game?miniGameTypeId=${t.type}`),
  ),
  [`GET ${apps}/leaderboards/stream`]: key(200, 404, (t) => at(`${apps}/leaderboards/stream?miniGameTypeId=${t.type}`)),
  [`POST ${apps}/leaderboards/stream-token`]: key(200, 404, (t) =>
    at(`${apps}/leaderboards/stream-token`, { miniGameTypeId: t.type }),
  ),
}
