import { expect } from 'vitest'
import type { Builders } from '../builders.ts'
import type { Caller } from '../service.ts'

/** The base path of scoring. */
export const appUrl = (path: string) => `/api/v1/apps/${path}`
export const unknownId = '0193a7c0-0000-7000-8000-000000000000'

export async function makeType(app: Caller, name: string, more: object = {}) {
  const { status, body } = await app.post(appUrl('mini-game-types'), { name, ...more })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body as { id: string; name: string }
}

export async function makeSession(app: Caller, session: object = {}) {
  const { status, body } = await app.post(appUrl('game-sessions'), session)
  expect({ status, body }).toMatchObject({ status: 201 })
  return body as { id: string; startTime: string }
}

/** New players of a session, with optional scores. */
export async function playSession(given: Builders, app: Caller, sessionId: string, scores: (number | undefined)[]) {
  const players = []
  for (const score of scores) {
    const player = await given.player(app)
    await app.post(appUrl(`game-sessions/${sessionId}/players`), { playerId: player.id })
    if (score !== undefined) await setScore(app, sessionId, player.id, score)
    players.push(player)
  }
  return players
}

export async function setScore(app: Caller, sessionId: string, playerId: string, score: number) {
  const answer = await app.patch(appUrl(`game-sessions/${sessionId}/players/${playerId}`), { score })
  expect(answer).toMatchObject({ status: 200, body: { score } })
}

/** As in the interface, or undefined. */
export const rankOf = async (app: Caller, playerId: string, query = '') =>
  (await app.get(appUrl(`players/${playerId}/global-ranking${query}`))).body.ranking as number | undefined

/** The next page of a list, from its Link header (RFC 8288). */
export const nextOf = (headers: Headers) => /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
