// @module-tag long
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildersOn } from '../../test/builders.ts'
import { runCommandOn } from '../../test/run-command.ts'
import { makeSession, makeType, playSession, rankOf } from '../../test/scoring/scoring-steps.ts'
import { type Service, startService } from '../../test/service.ts'
import { sqlOn } from '../../test/sql.ts'

// Each command is a process, which takes seconds to start on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const cairn = async (...words: string[]) => {
  const { code, out, err } = await runCommandOn(service, [...words, '--json'])
  return { code, err, ...(out ? JSON.parse(out) : {}) }
}
const statusWith = async (apiKey: string) =>
  (await service.as({ 'x-app-api-key': apiKey }).get('/api/v1/apps/players')).status

describe('cairn app', () => {
  test('create, show, list, rotate and delete do what the owner could, and the audit log names the operator', async () => {
    const owner = await buildersOn(service).user({ name: 'ada' })
    const made = await cairn('app', 'create', 'Park trail', '--owner', 'ada')
    expect(made).toMatchObject({ code: 0, name: 'Park trail', visibility: 'PRIVATE' })
    expect(await statusWith(made.apiKey)).toBe(200)
    expect((await owner.get(`/api/v1/apps/${made.id}`)).body).toMatchObject({ name: 'Park trail', apiKey: made.apiKey })

    const { apps } = await cairn('app', 'list', '--owner', 'ada')
    expect(apps).toMatchObject([{ id: made.id, ownerId: owner.id, apiKey: expect.stringContaining('…') }])
    expect(await cairn('app', 'show', made.id)).toMatchObject({ apiKey: made.apiKey })

    const { apiKey } = await cairn('app', 'rotate', made.id, '--grace', '600')
    expect([await statusWith(apiKey), await statusWith(made.apiKey)]).toEqual([200, 200])

    const warned = await cairn('app', 'delete', made.id)
    expect(warned).toMatchObject({ code: 1, err: expect.stringContaining('permanently deletes 0 players') })
    expect(warned.err).toContain('To confirm, pass --name "Park trail"')
    expect(warned.err).toContain('To confirm, pass --name "Park trail"')
    expect(await cairn('app', 'delete', made.id, '--name', 'Park trail')).toMatchObject({ code: 0, deleted: true })
    await expect.poll(() => statusWith(apiKey)).toBe(401)
    const rows = await sqlOn(service)<{ action: string }>(
      `select action from audit_log where subject = '${made.id}' and actor = 'operator' order by id`,
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'app.created',
      'app_key.viewed',
      'app_key.rotated',
      'app.deleted',
    ])
  })
})

test('cairn app key creates, lists and deletes additional keys, and the audit log names the operator', async () => {
  const app = await buildersOn(service).app()
  const made = await cairn('app', 'key', 'create', app.id, '--kind', 'client', '--name', 'Game 2')
  expect(made).toMatchObject({ code: 0, kind: 'client', name: 'Game 2' })
  expect(await statusWith(made.apiKey)).toBe(200)
  const { apiKeys } = await cairn('app', 'key', 'list', app.id)
  expect(apiKeys).toMatchObject([{ id: made.id, kind: 'client' }, { isCurrent: true }])
  expect(JSON.stringify(apiKeys)).not.toContain(made.apiKey)
  expect(await cairn('app', 'key', 'delete', app.id, made.id)).toMatchObject({ code: 0, deleted: true })
  await expect.poll(() => statusWith(made.apiKey)).toBe(401)
  expect(await cairn('app', 'key', 'create', app.id, '--kind', 'admin', '--name', 'x')).toMatchObject({ code: 2 })
  const rows = await sqlOn(service)(
    `select action from audit_log where subject = '${app.id}' and actor = 'operator' order by id`,
  )
  expect(rows).toEqual([{ action: 'app_key.created' }, { action: 'app_key.ended' }])
})

test('cairn export app writes all data of the app, without its keys', async () => {
  const given = buildersOn(service)
  const app = await given.app({ name: 'Handed over' })
  const other = await given.app()
  const type = await makeType(app, 'Race')
  const session = await makeSession(app, { miniGameTypeId: type.id })
  const players = await playSession(given, app, session.id, [10.5, undefined])
  const ofNoType = await makeSession(app)
  await given.player(other)
  await app.put(`/api/v1/apps/players/${players[0]!.id}/storage/save`, { level: 7 })
  await app.put('/api/v1/apps/config', { event: 'winter' })
  const { code, out } = await runCommandOn(service, ['export', 'app', app.id])
  expect(code).toBe(0)
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ kind }) => kind)).toEqual([
    ...['app', 'apiKey', 'member', 'miniGameType', 'player', 'player', 'gameSession', 'gameSession'],
    ...['sessionPlayer', 'sessionPlayer', 'bestScore', 'bestScore'],
    ...['playerStorage', 'appConfig'],
  ])

  const of = (kind: string) => lines.filter((line) => line.kind === kind)
  expect(of('app')).toMatchObject([{ id: app.id, name: 'Handed over' }])
  expect(
    of('player')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(players.map(({ id }) => id).toSorted())
  const shown = (await app.get(`/api/v1/apps/players/${players[0]!.id}`)).body
  expect(of('player').find(({ id }) => id === shown.id)).toMatchObject({
    displayName: shown.displayName,
    createdAt: shown.createdAt,
  })
  expect(of('bestScore').find(({ playerId }) => playerId === shown.id)).toMatchObject({
    score: 10.5,
    sessionId: session.id,
    miniGameTypeId: type.id,
  })
  expect(of('playerStorage')).toMatchObject([{ playerId: shown.id, key: 'save', value: { level: 7 } }])
  expect(of('appConfig')).toMatchObject([{ version: 1, value: { event: 'winter' } }])
  expect(of('gameSession').find(({ id }) => id === ofNoType.id)).toMatchObject({ miniGameTypeId: null })
  expect(out).not.toContain(app.key)
  const nowhere = await runCommandOn(service, ['export', 'app', app.id, '--out', join(service.folder, 'no', 'x.jsonl')])
  expect(nowhere.err).toContain('cannot be written: there is no folder')
  const unknown = await cairn('export', 'app', '0193a7c0-0000-7000-8000-000000000000', '--out', '/dev/null')
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('There is no app') })
})

describe('cairn user', () => {
  test('list shows all users; erase deletes a user permanently, unless they own apps', async () => {
    const user = await buildersOn(service).user({ name: 'bob', roles: ['ops'] })
    const { users } = await cairn('user', 'list', '--query', 'bob')
    expect(users).toMatchObject([{ id: user.id, username: 'bob', roles: ['ops'] }])
    const app = await buildersOn(service).app({ owner: user, name: 'Kept' })
    const refused = await cairn('user', 'erase', 'bob', '--yes')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('owns "Kept"') })
    await user.delete(`/api/v1/apps/${app.id}?name=Kept`)
    expect(await cairn('user', 'erase', 'bob')).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect(await cairn('user', 'erase', 'bob', '--yes')).toMatchObject({ code: 0, erased: true })
    await expect.poll(async () => (await user.get('/api/v1/user')).status).toBe(401)
  })
})

test('cairn rebuild-ranks corrects best scores that were edited by hand, and the running service uses them', async () => {
  const given = buildersOn(service)
  const app = await given.app()
  const session = await makeSession(app)
  const players = await playSession(given, app, session.id, [10, 20])
  const [one, two] = [players[0]!.id, players[1]!.id]
  expect(await rankOf(app, one)).toBe(2)
  await sqlOn(service)(`update player_best set score = 99, rank_key = 99 where player_id = '${two}'`)
  await sqlOn(service)(`update session_players set score = 30 where player_id = '${one}'`)
  expect(await cairn('rebuild-ranks', '--check')).toMatchObject({ code: 1, corrected: 2 })
  expect(await cairn('rebuild-ranks', '--app', app.id)).toMatchObject({ code: 0, checked: 2, corrected: 2 })
  expect(await cairn('rebuild-ranks', '--check')).toMatchObject({ code: 0, corrected: 0, missing: 0 })
  await expect.poll(() => rankOf(app, one)).toBe(1)
  expect(await rankOf(app, two)).toBe(2)
})
