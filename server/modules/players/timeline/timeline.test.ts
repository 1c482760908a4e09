import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FenceWorld, fenceWorldOn, fixAt } from '../../../test/fences/fence-world.ts'
import { appUrl, makeSession, makeType, nextOf, setScore, unknownId } from '../../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let service: Service
let sql: Sql
let world: FenceWorld
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)

  world = await fenceWorldOn(service)
})
afterAll(() => service.stop())

/** The owner of the app, with a session. */
const memberOf = () => service.as({ ...world.owner.headers, 'x-app-id': world.app.id })
let types = 0
type Entry = { kind: string; at: string; [name: string]: unknown }
const timelineOf = async (playerId: string, query = '') => world.app.get(appUrl(`players/${playerId}/timeline${query}`))

/** A player to whom one thing of each kind happened, in this order. */
async function livelyPlayer() {
  const { app } = world
  const member = memberOf()
  const player = await world.player()
  const dash = await makeType(app, `Dash ${++types}`, { rules: { maxIncrease: 5 } })
  const session = await makeSession(app, { name: 'Saturday tide', miniGameTypeId: dash.id })
  const at = appUrl(`game-sessions/${session.id}/players`)
  await app.post(at, { playerId: player.id })
  for (const score of [1, 3]) await setScore(app, session.id, player.id, score)
  const { body: held } = await app.patch(`${at}/${player.id}`, { score: 500 })
  const decision = { decision: 'reject', note: 'Impossible' }
  expect((await member.post(appUrl(`reviews/${held.reviewId}`), decision)).status).toBe(200)
  const place = { lat: 48.1, lon: 11.5 }
  const fence = await world.circle(place, 20, { checkIn: { award: { points: 10 } } })
  expect((await player.post(appUrl('check-ins'), { fenceId: fence.id, fix: fixAt(place) })).status).toBeLessThan(300)
  expect((await member.post(`${at}/${player.id}/correction`, { score: 2 })).status).toBe(200)
  return { player, dash, session, fence }
}

test('a timeline has everything that happened to a player, the newest first', async () => {
  const { player, dash, session, fence } = await livelyPlayer()
  const hidden = { standing: 'hidden', standingNote: 'Under review' }
  expect((await memberOf().patch(appUrl(`players/${player.id}`), hidden)).status).toBe(200)
  const { body, headers } = await timelineOf(player.id)
  const timeline = body.timeline as Entry[]
  expect(timeline.map(({ at }) => at)).toEqual(
    timeline
      .map(({ at }) => at)
      .toSorted()
      .reverse(),
  )
  const of = (kind: string) => timeline.filter((entry) => entry.kind === kind)
  expect(of('created')).toHaveLength(1)
  expect(of('joined').map(({ gameSessionName }) => gameSessionName)).toContain('Saturday tide')
  const inDash = { gameSessionId: session.id, miniGameTypeId: dash.id, miniGameTypeName: dash.name }
  expect(of('score').filter(({ miniGameTypeId }) => miniGameTypeId === dash.id)).toMatchObject([
    { ...inDash, score: 2, replacedAt: null },
    { ...inDash, score: 3, replacedAt: expect.any(String) },
    { ...inDash, score: 1, replacedAt: expect.any(String) },
  ])
  expect(of('held')).toMatchObject([{ ...inDash, score: 500, reasons: ['maxIncrease'] }])
  expect(of('reviewed')).toMatchObject([{ ...inDash, score: 500, state: 'rejected', note: 'Impossible' }])
  expect(of('checkIn')).toMatchObject([
    { fenceId: fence.id, fenceName: 'Well', state: 'accepted', points: 10, score: 10 },
  ])
  expect(of('change')).toMatchObject([
    { action: 'player.hidden', actor: world.owner.id, changes: { standing: { from: 'normal', to: 'hidden' } } },
    { action: 'score.corrected', actor: world.owner.id, changes: { score: { from: 3, to: 2 } } },
  ])
  expect(headers.get('x-total-count')).toBe(String(timeline.length))
})

test('pages of a timeline have each entry once, also where several have the same time', async () => {
  const { player } = await livelyPlayer()
  await sql("update session_players set created_at = '2026-01-01', updated_at = '2026-01-01' where player_id = $1", [
    player.id,
  ])
  await sql("update held_scores set created_at = '2026-01-01' where player_id = $1", [player.id])
  const whole = (await timelineOf(player.id)).body.timeline
  const paged: Entry[] = []
  for (let next: string | undefined = appUrl(`players/${player.id}/timeline?limit=2`); next; ) {
    const { body, headers } = await world.app.get(next)
    paged.push(...body.timeline)
    next = nextOf(headers)
  }
  expect(paged).toEqual(whole)
})

test('a timeline is for server keys and members, and has nothing of other players', async () => {
  const { player } = await livelyPlayer()
  const other = await world.player()
  expect((await timelineOf(other.id)).body.timeline).toMatchObject([{ kind: 'created' }])
  expect((await world.game.get(appUrl(`players/${player.id}/timeline`))).status).toBe(403)
  expect((await timelineOf(unknownId)).status).toBe(404)
  expect((await timelineOf(player.id, '?cursor=x')).status).toBe(400)
})
