import { formOf } from '../../multipart.ts'
import { anyKey, apps, asPlayer, at, ownPlayer, type Rule, serverKey, user } from './rules.ts'

const fixNow = () => ({ lat: 1, lon: 2, accuracy: 5, at: new Date().toISOString() })

/** Players, mini game types, sessions and leaderboards. */
export const scoringTable: Record<string, Rule> = {
  [`GET ${apps}/players`]: anyKey(200, undefined, () => at(`${apps}/players`)),
  [`POST ${apps}/players`]: serverKey(200, undefined, () =>
    at(`${apps}/players`, { displayName: `P${Math.random()}` }),
  ),
  [`GET ${apps}/players/{id}`]: anyKey(200, 404, (t) => at(`${apps}/players/${t.player}`)),
  [`PATCH ${apps}/players/{id}`]: ownPlayer(200, 403, (t) =>
    at(`${apps}/players/${t.player}`, { displayName: 'Renamed' }),
  ),
  [`DELETE ${apps}/players/{id}`]: serverKey(204, 404, async (t) => at(`${apps}/players/${await t.newPlayer()}`)),
  [`PATCH ${apps}/players/{id}/profile-image`]: ownPlayer(400, 403, (t) =>
    at(`${apps}/players/${t.player}/profile-image`, formOf({ field: 'image', name: 'a.png', bytes: 'no picture' })),
  ),
  [`DELETE ${apps}/players/{id}/profile-image`]: ownPlayer(200, 403, (t) =>
    at(`${apps}/players/${t.player}/profile-image`),
  ),
  [`GET ${apps}/players/{id}/storage`]: serverKey(200, 404, (t) => at(`${apps}/players/${t.player}/storage`)),
  [`GET ${apps}/players/{id}/storage/{key}`]: ownPlayer(200, 404, async (t) => at(await t.newStorageKey())),
  [`PUT ${apps}/players/{id}/storage/{key}`]: ownPlayer(200, 404, async (t) =>
    at(await t.newStorageKey(), { level: 2 }),
  ),
  [`DELETE ${apps}/players/{id}/storage/{key}`]: ownPlayer(204, 404, async (t) => at(await t.newStorageKey())),
  [`GET ${apps}/players/{playerId}/global-ranking`]: anyKey(200, 404, (t) =>
    at(`${apps}/players/${t.player}/global-ranking`),
  ),
  [`GET ${apps}/players/{playerId}/timeline`]: serverKey(200, 404, (t) => at(`${apps}/players/${t.player}/timeline`)),
  [`GET ${apps}/players/{playerId}/score-history`]: anyKey(200, 404, (t) =>
    at(`${apps}/players/${t.player}/score-history`),
  ),
  [`GET ${apps}/players/{playerId}/scores`]: anyKey(200, 404, (t) => at(`${apps}/players/${t.player}/scores`)),

  [`GET ${apps}/fences`]: anyKey(200, undefined, () => at(`${apps}/fences`)),
  [`POST ${apps}/fences`]: serverKey(201, undefined, (t) => at(`${apps}/fences`, { name: 'Park', zoneId: t.zoneId })),
  [`GET ${apps}/fences/{id}`]: anyKey(200, 404, async (t) => at(`${apps}/fences/${await t.newFence()}`)),
  [`PATCH ${apps}/fences/{id}`]: serverKey(200, 404, async (t) =>
    at(`${apps}/fences/${await t.newFence()}`, { dwellSeconds: 5 }),
  ),
  [`DELETE ${apps}/fences/{id}`]: serverKey(204, 404, async (t) => at(`${apps}/fences/${await t.newFence()}`)),
  [`GET ${apps}/positions/settings`]: serverKey(200, undefined, () => at(`${apps}/positions/settings`)),
  [`PUT ${apps}/positions/settings`]: serverKey(200, undefined, () =>
    at(`${apps}/positions/settings`, { retainSeconds: 600 }),
  ),
  [`POST ${apps}/positions`]: asPlayer(403, undefined, () => at(`${apps}/positions`, { fixes: [fixNow()] })),
  [`POST ${apps}/fences/simulate`]: serverKey(200, undefined, () =>
    at(`${apps}/fences/simulate`, { fixes: [fixNow()] }),
  ),
  [`GET ${apps}/fences/stream`]: serverKey(200, undefined, () => at(`${apps}/fences/stream`)),
  [`GET ${apps}/positions/stream`]: asPlayer(403, undefined, () => at(`${apps}/positions/stream`)),
  [`POST ${apps}/check-ins`]: asPlayer(403, undefined, async (t) =>
    at(`${apps}/check-ins`, { fenceId: await t.newFence(), fix: fixNow() }),
  ),
  [`GET ${apps}/check-ins`]: serverKey(200, undefined, () => at(`${apps}/check-ins`)),
  [`GET ${apps}/check-ins/counts`]: serverKey(200, undefined, () => at(`${apps}/check-ins/counts`)),
  [`GET ${apps}/check-ins/{id}`]: serverKey(200, 404, async (t) => at(`${apps}/check-ins/${await t.newHeldCheckIn()}`)),
  [`POST ${apps}/check-ins/{id}/review`]: serverKey(200, 404, async (t) =>
    at(`${apps}/check-ins/${await t.newHeldCheckIn()}/review`, { decision: 'reject' }),
  ),

  [`GET ${apps}/mini-game-types`]: anyKey(200, undefined, () => at(`${apps}/mini-game-types`)),
  [`POST ${apps}/mini-game-types`]: serverKey(201, undefined, () =>
    at(`${apps}/mini-game-types`, { name: `T${Math.random()}` }),
  ),
  [`GET ${apps}/mini-game-types/{id}`]: anyKey(200, 404, (t) => at(`${apps}/mini-game-types/${t.type}`)),
  [`PATCH ${apps}/mini-game-types/{id}`]: serverKey(200, 404, (t) =>
    at(`${apps}/mini-game-types/${t.type}`, { description: 'x' }),
  ),
  [`DELETE ${apps}/mini-game-types/{id}`]: serverKey(204, 404, async (t) =>
    at(`${apps}/mini-game-types/${await t.newType()}`),
  ),
  [`POST ${apps}/mini-game-types/{id}/restore`]: serverKey(200, 404, (t) =>
    at(`${apps}/mini-game-types/${t.type}/restore`),
  ),

  [`GET ${apps}/game-sessions`]: anyKey(200, undefined, () => at(`${apps}/game-sessions`)),
  [`POST ${apps}/game-sessions`]: serverKey(201, undefined, () => at(`${apps}/game-sessions`, {})),
  [`GET ${apps}/game-sessions/{id}`]: anyKey(200, 404, (t) => at(`${apps}/game-sessions/${t.session}`)),
  [`PATCH ${apps}/game-sessions/{id}`]: serverKey(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}`, { name: 'x' }),
  ),
  [`DELETE ${apps}/game-sessions/{id}`]: serverKey(204, 404, async (t) =>
    at(`${apps}/game-sessions/${await t.newSession()}`),
  ),
  [`GET ${apps}/game-sessions/{id}/leaderboard`]: anyKey(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/leaderboard`),
  ),
  [`GET ${apps}/game-sessions/{id}/players`]: anyKey(200, 404, (t) => at(`${apps}/game-sessions/${t.session}/players`)),
  [`POST ${apps}/game-sessions/{id}/players`]: serverKey(201, 404, async (t) =>
    at(`${apps}/game-sessions/${t.session}/players`, { playerId: await t.newPlayer() }),
  ),
  [`POST ${apps}/game-sessions/{id}/scores`]: serverKey(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/scores`, { scores: [{ playerId: t.player, score: 8 }] }),
  ),
  [`GET ${apps}/game-sessions/{id}/players/{playerId}`]: anyKey(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/players/${t.player}`),
  ),
  [`PATCH ${apps}/game-sessions/{id}/players/{playerId}`]: ownPlayer(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/players/${t.player}`, { score: 9 }),
  ),
  [`POST ${apps}/game-sessions/{id}/players/{playerId}/correction`]: serverKey(200, 404, (t) =>
    at(`${apps}/game-sessions/${t.session}/players/${t.player}/correction`, { score: 9 }),
  ),
  [`DELETE ${apps}/game-sessions/{id}/players/{playerId}`]: serverKey(204, 404, async (t) => {
    const playerId = await t.newPlayer()
    await t.app.post(`${apps}/game-sessions/${t.session}/players`, { playerId })
    return at(`${apps}/game-sessions/${t.session}/players/${playerId}`)
  }),
  [`GET ${apps}/leaderboards`]: anyKey(200, undefined, () => at(`${apps}/leaderboards`)),
  [`POST ${apps}/leaderboards/import`]: serverKey(200, undefined, () =>
    at(`${apps}/leaderboards/import`, formOf({ name: 'a.csv', bytes: 'player_name,score\nImported,1\n' })),
  ),
  [`GET ${apps}/leaderboards/mini-game`]: anyKey(200, 404, (t) =>
    at(`${apps}/leaderboards/mini-game?miniGameTypeId=${t.type}`),
  ),
  [`GET ${apps}/reviews`]: serverKey(200, undefined, () => at(`${apps}/reviews`)),
  [`GET ${apps}/reviews/{id}`]: serverKey(200, 404, async (t) => at(await t.newReview())),
  [`POST ${apps}/reviews/{id}`]: serverKey(200, 404, async (t) => at(await t.newReview(), { decision: 'reject' })),
  [`GET ${apps}/seasons`]: anyKey(200, undefined, () => at(`${apps}/seasons`)),
  [`POST ${apps}/seasons`]: serverKey(201, undefined, async (t) =>
    at(`${apps}/seasons`, { name: 'Spring', startsAt: '2100-01-01T00:00:00Z', miniGameTypeId: await t.newType() }),
  ),
  [`GET ${apps}/seasons/{id}`]: anyKey(200, 404, async (t) => at(`${apps}/seasons/${await t.newSeason()}`)),
  [`PATCH ${apps}/seasons/{id}`]: serverKey(200, 404, async (t) =>
    at(`${apps}/seasons/${await t.newSeason()}`, { name: 'Autumn' }),
  ),
  [`DELETE ${apps}/seasons/{id}`]: serverKey(204, 404, async (t) => at(`${apps}/seasons/${await t.newSeason()}`)),
  [`GET ${apps}/seasons/{id}/export`]: serverKey(200, 404, async (t) =>
    at(`${apps}/seasons/${await t.newSeason()}/export`),
  ),
  // Of an ended season: recount.test.ts.
  [`POST ${apps}/seasons/{id}/recount`]: user(
    409,
    404,
    async (t) => at(`${apps}/seasons/${await t.newSeason()}/recount?appId=${t.appId}`),
    403,
  ),
  [`GET ${apps}/leaderboards/stream`]: anyKey(200, 404, (t) =>
    at(`${apps}/leaderboards/stream?miniGameTypeId=${t.type}`),
  ),
  [`POST ${apps}/leaderboards/stream-token`]: anyKey(200, 404, (t) =>
    at(`${apps}/leaderboards/stream-token`, { miniGameTypeId: t.type }),
  ),
}
