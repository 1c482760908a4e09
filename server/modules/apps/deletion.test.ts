import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { createJobs } from '../../platform/database/jobs/jobs.ts'
import { createLog } from '../../platform/logging/log.ts'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { appSteps, apps } from '../../test/scoring/app-steps.ts'
import { makeSession, makeType, playSession, rankOf, setScore } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'
import { appPurge } from './app-purge.ts'

let service: Service
let given: Builders
let steps: ReturnType<typeof appSteps>
beforeAll(async () => {
  service = await startService()
  given = buildersOn(service)
  steps = appSteps(service)
})
afterAll(() => service.stop())

describe('deleting an app', () => {
  test('without its name, or with another, it is 400, says what would go, and nothing goes', async () => {
    const owner = await given.user()
    const app = await given.app({ owner, name: 'Trail & Co' })
    await makeType(app, 'Sprint')
    const session = await makeSession(app)
    await playSession(given, app, session.id, [5, undefined])
    for (const query of ['', '?name=trail%20%26%20co', '?name='])
      expect(await owner.delete(`${apps}/${app.id}${query}`)).toMatchObject({
        status: 400,
        body: {
          error:
            'Deleting the app "Trail & Co" permanently deletes 2 players, 1 game session, 1 score, 1 mini game type and 1 API key. To confirm, send its name in the query, ?name=Trail%20%26%20Co',
        },
      })
    expect((await app.get(`${apps}/players`)).body.players).toHaveLength(2)
    const counts = { players: 2, gameSessions: 1, scores: 1, miniGameTypes: 1, keys: 1 }
    expect(await owner.get(`${apps}/${app.id}/contents`)).toMatchObject({ status: 200, body: counts })
  })

  test('with its name all of it goes: the app at once, its key within a second, its rows, boards and images soon after', {
    tags: ['long'],
  }, async () => {
    const owner = await given.user()
    const app = await given.app({ owner, visibility: 'PUBLIC' })
    const kept = await given.app({ owner, name: 'Kept' })
    const type = await makeType(app, 'Sprint')
    const session = await makeSession(app, { miniGameTypeId: type.id })
    const [player] = await playSession(given, app, session.id, [5, 7, undefined])
    await setScore(app, session.id, player!.id, 6)
    await rankOf(app, player!.id, `?miniGameTypeId=${type.id}`)
    await app.put(`${apps}/players/${player!.id}/storage/a`, { level: 1 })
    await app.put(`${apps}/config`, { event: 'winter' })
    await playSession(given, kept, (await makeSession(kept)).id, [1])

    expect(await owner.delete(`${apps}/${app.id}?name=Trail`)).toMatchObject({ status: 204, body: '' })
    expect(await owner.get(`${apps}/${app.id}`)).toMatchObject({ status: 404 })
    expect((await owner.get(apps)).body.apps.map(({ name }: { name: string }) => name)).toEqual(['Kept'])
    expect(JSON.stringify((await service.anonymous.get(`${apps}/public`)).body)).not.toContain(app.id)
    expect(await owner.delete(`${apps}/${app.id}?name=Trail`)).toMatchObject({ status: 404 })
    await expect.poll(() => steps.statusOf(app.key)).toBe(401)
    expect(await steps.audited(app.id, 'app.deleted')).toEqual([{ actor: owner.id, address: '127.0.0.1' }])

    const left = async () => {
      const tables = [
        ...['players', 'mini_game_types', 'game_sessions', 'session_players', 'player_best', 'app_keys'],
        ...['seasons', 'period_boards', 'period_best', 'board_windows', 'score_history', 'score_history_starts'],
        ...['player_storage', 'app_configs', 'fences', 'player_positions', 'check_ins', 'fence_awards'],
      ]
      const counts = tables.map((table) => `(select count(*) from ${table} where app_id = $1)`)
      const [row] = await steps.sql<{ left: number }>(
        `select ${counts.join('+')} + (select count(*) from apps where id = $1) as left`,
        [app.id],
      )
      return row!.left
    }
    await expect.poll(left).toBe(0)
    expect((await kept.get(`${apps}/players`)).body.players).toHaveLength(1)
  })

  test('a deletion resumes after its job has failed for the last time', { tags: ['long'] }, async () => {
    const owner = await given.user()
    const [lost, fresh] = [await given.app({ owner }), await given.app({ owner })]
    await playSession(given, lost, (await makeSession(lost)).id, [1, 2])
    await steps.sql("update apps set owner_id = null, deleted_at = now() - interval '3 hours' where id = $1", [lost.id])
    await steps.sql('update apps set owner_id = null, deleted_at = now() where id = $1', [fresh.id])
    const database = openDatabase({ url: service.databaseUrl, applicationName: 'test', max: 2 })
    const jobs = createJobs({ url: service.databaseUrl, log: createLog('silent') })
    const forgotten: string[] = []
    const forget = (appId: string) => void forgotten.push(appId)
    await appPurge({ pool: database.pool, jobs, forget, removeUnused: async () => {} }).finish()
    await database.close()
    expect(forgotten).toEqual([lost.id])
    const ids = [lost.id, fresh.id]
    expect(await steps.sql('select id from apps where id = any($1)', [ids])).toEqual([{ id: fresh.id }])
    expect(await steps.sql('select id from players where app_id = any($1)', [ids])).toEqual([])
  })

  test('a deletion empties every table that refers to apps, or cascades to it; records of users lose their reference', async () => {
    const referring = await steps.sql<{ table: string; rule: string }>(
      `select conrelid::regclass::text as table, confdeltype::text as rule from pg_constraint
        where contype = 'f' and confrelid = 'apps'::regclass`,
      [],
    )
    const emptied = ['players', 'game_sessions', 'mini_game_types']
    const ofUsers = ['scans']
    for (const { table, rule } of referring) {
      const isGone = rule === 'c' || emptied.includes(table)
      expect(isGone || (rule === 'n' && ofUsers.includes(table)), `${table} is left when its app is deleted`).toBe(true)
    }
  })
})
