import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlOn } from '../../../server/test/sql.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let admin: Awaited<ReturnType<OpenConsole['person']>>
beforeAll(async () => {
  opened = await startConsole()
  admin = await opened.person({ name: 'keeper' })
})
afterAll(() => opened.stop())

test('an admin finds a user and grants a role; the service applies it and the audit log shows it', async () => {
  const { open, person } = opened
  const ben = await person({ name: 'ben', roles: [] })
  const { page, complaints } = await open('/users?q=be', { token: admin.token })
  await inAllShapes(page, 'users', () => page.getByRole('link', { name: 'ben' }).waitFor())
  await page.getByRole('link', { name: 'ben' }).click()
  await page.getByRole('checkbox', { name: 'Ops' }).check()
  await page.getByRole('button', { name: 'Save roles' }).click()
  await page.getByText('Roles of ben: ops').waitFor()
  expect((await admin.get(`/api/v1/users/${ben.id}`)).body.roles).toEqual(['ops'])
  await inAllShapes(page, 'user', () => page.getByRole('heading', { name: 'ben' }).waitFor())
  expect(complaints).toEqual([])
})

test('the audit log is filtered by what is in the address, and the address follows the filters', async () => {
  const { id } = await opened.person({ name: 'cleo', roles: [] })
  expect((await admin.put(`/api/v1/users/${id}/roles`, { roles: ['ops'] })).status).toBe(200)
  const { page, complaints } = await opened.open('/audit', { token: admin.token })
  await inAllShapes(page, 'audit', () => page.getByText('Roles of user changed').first().waitFor())
  await page.getByRole('combobox', { name: 'What' }).click()
  await page.getByRole('option', { name: 'Scan deleted' }).click()
  await page.getByText('No entries match these filters').waitFor()
  expect(page.url()).toContain('action=scan.deleted')
  expect(complaints).toEqual([])
})

test('the audit log names users and records, says what changed, and has no entry for looking around', async () => {
  const { open, person } = opened
  const dora = await person({ name: 'dora', roles: [] })
  const app = await opened.given.app({ owner: dora, name: 'Lantern Lane' })
  const { id } = (await app.post('/api/v1/apps/game-sessions', { name: 'Saturday tide' })).body
  const game = await open(`/apps/${app.id}/sessions/${id}`, { token: dora.token })
  await game.page.getByRole('button', { name: 'Pause' }).click()
  await game.page.getByText('Paused').waitFor()
  await game.page.getByRole('link', { name: 'Players', exact: true }).click()
  await game.page.getByText('No players yet').waitFor()

  const { page, complaints } = await open('/audit', { token: admin.token })
  await page.getByRole('combobox', { name: 'Who' }).fill('dora')
  await page.getByRole('option', { name: 'dora' }).click()
  const rows = page.getByRole('group', { name: 'Audit' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await rows.first().textContent()).toMatch(/dora.*Session changed.*Saturday tide.*Status: ACTIVE → PAUSED/)
  expect(await rows.last().textContent()).toMatch(/dora.*App created.*Lantern Lane/)
  const { body: zone } = await dora.post('/api/zones', { title: 'Lantern Quay' })
  const { body: map } = await dora.post('/api/v1/user/maps', { title: 'Lanterns', zoneIds: [zone.id] })
  await page.reload()
  await expect.poll(() => rows.count()).toBe(4)
  expect(await rows.first().textContent()).toMatch(/dora.*Shared map created.*Lanterns/)
  const linkOf = (name: string) => rows.getByRole('link', { name }).filter({ visible: true }).getAttribute('href')
  expect(await linkOf('Lanterns')).toBe(`/m/${map.id}`)
  expect(await linkOf('Lantern Quay')).toContain(`map?select=zone%3A${zone.id}`)
  await rows.nth(2).getByRole('link', { name: 'Saturday tide' }).filter({ visible: true }).click()
  await page.waitForURL(new RegExp(`sessions/${id}`))
  expect([...game.complaints, ...complaints]).toEqual([])
})

test('the audit log names the player of a review, says how it was decided and links the decided ones', async () => {
  const { given, open } = opened
  const app = await given.app({ owner: admin })
  const types = await app.post('/api/v1/apps/mini-game-types', {
    name: 'Sprint',
    rules: { requireMetadata: ['replay'] },
  })
  const session = await app.post('/api/v1/apps/game-sessions', { miniGameTypeId: types.body.id })
  const player = await given.player(app, 'night.heron')
  const players = `/api/v1/apps/game-sessions/${session.body.id}/players`
  await app.post(players, { playerId: player.id })
  const { reviewId } = (await app.patch(`${players}/${player.id}`, { score: 9 })).body
  await app.post(`/api/v1/apps/reviews/${reviewId}`, { decision: 'reject' })

  const { page, complaints } = await open('/audit?action=held_score.rejected', { token: admin.token })
  const row = page.getByRole('group', { name: 'Audit' }).locator('tbody tr').first()
  await row.getByRole('link', { name: 'night.heron' }).filter({ visible: true }).waitFor()
  expect(await row.textContent()).toContain('Decision: held → rejected')
  await row.getByRole('link', { name: 'night.heron' }).filter({ visible: true }).click()
  await page.getByRole('button', { name: 'Accept the score of night.heron' }).waitFor()
  expect(complaints).toEqual([])
})

test('health shows every part, what limits are set, and that no job has failed', async () => {
  const { page, complaints } = await opened.open('/health', { token: admin.token })
  await inAllShapes(page, 'health', () =>
    page.getByText('CAIRN_LIMIT_KEY_PER_MINUTE').first().waitFor({ state: 'attached' }),
  )
  await page.getByText('No failed jobs').waitFor()
  expect(await page.getByRole('region', { name: 'Components' }).first().textContent()).toMatch(/Database[\s\S]*OK/)
  expect(complaints).toEqual([])
})

test('health shows the last scheduled backup, and warns when one failed or is late', async () => {
  const scheduled = await startConsole({ CAIRN_BACKUP_EVERY: '6h', CAIRN_ROLE: 'api' })
  try {
    const sql = sqlOn(scheduled.service)
    const { token } = await scheduled.person({ name: 'keeper' })
    const seen = async (set: string, shape: string, text: string | RegExp) => {
      await sql(`update backup_state set ${set}`)
      const { page, complaints } = await scheduled.open('/health', { token })
      const panel = page.getByRole('region', { name: 'Backups' })
      await inAllShapes(page, shape, () => panel.getByText(text).first().waitFor())
      expect(complaints).toEqual([])
      return panel.textContent()
    }
    const success = `tried_at = now() - interval '1 hour', succeeded_at = now() - interval '1 hour', seconds = 12.5, bytes = 2500000, place = '/backups/cairn-2026-01-31T02-00-00Z.tar'`
    expect(await seen(success, 'health-backups', '/backups/cairn-2026-01-31T02-00-00Z.tar')).toMatch(
      /OK.*2\.5 MB.*12\.5 s/,
    )
    await seen(`succeeded_at = now() - interval '13 hours'`, 'health-backups-late', /older than two intervals/)
    await seen(`failed_at = now(), failure = 'The disk is full'`, 'health-backups-failed', 'The disk is full')
  } finally {
    await scheduled.stop()
  }
})

test('an admin retries a failed job; users who may only read see no button', async () => {
  const { open, person, service } = opened
  const [job] = await sqlOn(service)<{ id: string }>(
    `insert into pgboss.job (name, data, state, output) values ('scan-weather', $1, 'failed', $2) returning id`,
    [{ scanId: admin.id, lat: 1, long: 2, timestamp: '2026-01-01T00:00:00Z' }, { message: 'The sky was away' }],
  )
  const ops = await person({ name: 'looker', roles: ['ops'] })
  const looking = await open('/health', { token: ops.token })
  await looking.page.getByText('The sky was away').waitFor()
  expect(await looking.page.getByRole('button', { name: 'Retry' }).count()).toBe(0)

  const { page, complaints } = await open('/health', { token: admin.token })
  const again = page.getByRole('button', { name: 'Retry' })
  await inAllShapes(page, 'health-failed', () => again.waitFor())
  await again.click()
  await page.getByText('scan-weather: retry queued').waitFor()
  await page.getByText('No failed jobs').waitFor()
  const [{ state }] = (await sqlOn(service)<{ state: string }>('select state from pgboss.job where id = $1', [
    job!.id,
  ])) as [{ state: string }]
  expect(state).not.toBe('failed')
  expect([...looking.complaints, ...complaints]).toEqual([])
})

test('a long list shows its first page, and further ones on request, each entry once', async () => {
  const { open, person } = opened
  for (let i = 0; i < 60; i++) await person({ name: `walker-${String(i).padStart(2, '0')}`, roles: [] })
  const { page, complaints } = await open('/users?q=walker', { token: admin.token })
  await page.getByText('50 of 60').waitFor()
  const names = () => page.locator('tbody tr a').allTextContents()
  expect(await names()).toHaveLength(50)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(names).toHaveLength(60)
  expect(new Set(await names()).size).toBe(60)
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('without a role the admin pages are absent from the navigation, and their URLs say which role is needed', async () => {
  const { open, person } = opened
  const guest = await person({ name: 'guest', roles: [] })
  const { page, complaints } = await open('/health', { token: guest.token })
  await page.getByText('Not allowed').waitFor()
  expect(await page.getByRole('link', { name: 'Health' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Map' }).count()).toBeGreaterThan(0)
  await inAllShapes(page, 'not-allowed', () => page.getByText('Not allowed').waitFor())
  expect(complaints).toEqual([])
})
