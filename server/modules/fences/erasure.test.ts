import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { fenceWorldOn, fixAt } from '../../test/fences/fence-world.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let service: Service
let sql: Sql
beforeAll(async () => {
  service = await startService()
  sql = sqlOn(service)
})
afterAll(() => service.stop())

const WELL = { lat: 1, lon: 2 }

/** A player who has reported a position and checked in. */
async function seen(userId?: string) {
  const world = await fenceWorldOn(service)
  const fence = await world.circle(WELL, 20, { checkIn: {} })
  const player = await world.player(userId)
  await player.post('/api/v1/apps/positions', { fixes: [fixAt(WELL, { ago: 10 })] })
  await player.post('/api/v1/apps/check-ins', { fenceId: fence.id, fix: fixAt(WELL) })
  return { world, player }
}

const held = async (playerId: string) => {
  const tables = ['player_positions', 'entering_fixes', 'check_ins']
  const counts = tables.map((table) => `(select count(*) from ${table} where player_id = $1) as ${table}`)
  return (await sql(`select ${counts.join(', ')}`, [playerId]))[0]
}

test('the deletion of a player removes its position and its check-ins', async () => {
  const { world, player } = await seen()
  expect(await held(player.id)).toEqual({ player_positions: 1, entering_fixes: 1, check_ins: 1 })
  await world.app.delete(`/api/v1/apps/players/${player.id}`)
  expect(await held(player.id)).toEqual({ player_positions: 0, entering_fixes: 0, check_ins: 0 })
})

test('the erasure of a user removes the positions and check-ins of its players', async () => {
  const user = await buildersOn(service).user()
  const { player } = await seen(user.id)
  expect(await held(player.id)).toEqual({ player_positions: 1, entering_fixes: 1, check_ins: 1 })
  expect((await user.delete('/api/v1/user')).status).toBe(204)
  expect(await held(player.id)).toEqual({ player_positions: 0, entering_fixes: 0, check_ins: 0 })
})

test('a position goes after retainSeconds, and until then it is not used once it is older', async () => {
  const { world, player } = await seen()
  await world.app.put('/api/v1/apps/positions/settings', { retainSeconds: 60 })
  await sql(`update player_positions set seen_at = now() - interval '61 seconds' where player_id = $1`, [player.id])
  const { body } = await player.post('/api/v1/apps/positions', { fixes: [fixAt(WELL)] })
  expect(body.events).toMatchObject([{ type: 'enter' }])
})
