import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../server/test/network/receiver.ts'
import { sqlOn } from '../../../server/test/sql.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

let receiver: Receiver
let opened: OpenConsole
beforeAll(async () => {
  receiver = await startReceiver()
  opened = await startConsole({ CAIRN_WEBHOOK_HOSTS: receiver.host, CAIRN_WEBHOOK_RETRY_SECONDS: '1' })
})
afterAll(async () => {
  await opened.stop()
  await receiver.stop()
})

const HOUR_MS = 3_600_000

/** An app that is at work: players, a session with scores, a day of calls, some refused. */
async function givenApp(owner: Awaited<ReturnType<OpenConsole['person']>>, name = 'Harbour Hunt') {
  const { given, service } = opened
  const app = await given.app({ owner, name })
  const players = []
  for (const displayName of ['brasscompass', 'nightjar22', 'kite.runner'])
    players.push(await given.player(app, displayName))
  await app.post('/api/v1/apps/players', { displayName: 'brasscompass' })
  const { body: session } = await app.post('/api/v1/apps/game-sessions', {})
  for (const [n, { id: playerId }] of players.entries()) {
    await app.post(`/api/v1/apps/game-sessions/${session.id}/players`, { playerId })
    await app.patch(`/api/v1/apps/game-sessions/${session.id}/players/${playerId}`, { score: 9840 - 110 * n })
  }
  const sql = sqlOn(service)
  const thisHour = Date.now() - (Date.now() % HOUR_MS)
  for (let ago = 1; ago < 24; ago++) {
    const calls = 16_000 + Math.round(9000 * Math.sin(ago / 3.4))
    await sql(
      `insert into usage_hours values ($1, $2, 'gone', $3::int, $4, $5, 0, array_fill(70, array[60]), array_fill(9, array[22]))`,
      [app.id, new Date(thisHour - ago * HOUR_MS), calls, 40, ago === 7 ? 1870 : 0],
    )
  }
  return { ...app, players, sessionId: session.id as string }
}

test('the overview shows the key, the calls, what was refused and why, and the app at a glance', async () => {
  const { open, person } = opened
  const owner = await person({ name: 'keeper' })
  const app = await givenApp(owner)
  const { page, complaints } = await open('/', { token: owner.token })
  await page.waitForURL(new RegExp(`/apps/${app.id}$`))
  await inAllShapes(page, 'app-overview', async () => {
    await page.getByRole('heading', { name: 'Harbour Hunt', level: 1 }).waitFor()
    await page.getByRole('slider', { name: /calls; peak of / }).waitFor()
    await page.getByText('9,840').waitFor()
  })
  await page.getByText('Active', { exact: true }).waitFor()
  await page.getByRole('row', { name: /POST \/players.*409/ }).waitFor()
  await page.getByText('3 (+3 this week)').waitFor()
  await page.getByRole('link', { name: 'brasscompass' }).waitFor()

  expect(await page.getByText(app.key).count(), 'the key is hidden at first').toBe(0)
  await page.getByRole('button', { name: 'Show the API key' }).click()
  await page.getByText(app.key).waitFor()

  await page.getByText('Week', { exact: true }).click()
  await page.waitForURL(/days=7/)
  expect(complaints).toEqual([])
})

test('a rotated key is shown at once, and the old one is named with the time it ends and the calls that still use it', async () => {
  const { open, person, service } = opened
  const owner = await person({ name: 'rotator' })
  const app = await givenApp(owner, 'Lantern Lane')
  const { page, complaints } = await open(`/apps/${app.id}`, { token: owner.token })
  await page.getByRole('button', { name: 'Rotate…' }).click()
  await inAllShapes(page, 'app-rotate', () =>
    page.getByRole('dialog', { name: 'Rotate the key of Lantern Lane?' }).waitFor(),
  )
  await page.getByText('1 day').click()
  await page.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByText(/The previous key cairn_\w{8}_… works until/).waitFor()
  await page.getByText(/calls? used it in the last hour/).waitFor()

  await page.getByRole('button', { name: 'Show the API key' }).click()
  const key = await page.getByText(/^cairn_\w{8}_\w{38}$/).textContent()
  expect(key).not.toBe(app.key)
  expect((await service.as({ 'x-app-api-key': key! }).get('/api/v1/apps/players')).status).toBe(200)
  expect((await app.get('/api/v1/apps/players')).status, 'the old key works on').toBe(200)
  await inAllShapes(page, 'app-overview-old-key', () => page.getByText(/The previous key/).waitFor())

  await page.getByRole('button', { name: 'Revoke…' }).click()
  await inAllShapes(page, 'app-end-key', () => page.getByRole('dialog', { name: /^Revoke the key/ }).waitFor())
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText(/The previous key/).waitFor({ state: 'detached' })
  await expect.poll(async () => (await app.get('/api/v1/apps/players')).status).toBe(401)
  expect(complaints).toEqual([])
})

test('a client key is added, shown once, listed, and deleted', async () => {
  const { open, person, service } = opened
  const owner = await person({ name: 'cutter' })
  const app = await givenApp(owner, 'Keyring')
  const { page, complaints } = await open(`/apps/${app.id}`, { token: owner.token })
  await page.getByText('No additional keys').waitFor()
  await page.getByRole('button', { name: 'Add key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('This field is required').waitFor()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Build 7')
  await inAllShapes(page, 'app-add-key', () => dialog.getByLabel('Client').waitFor())
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await dialog.getByText(/^cairn_client_\w{8}_\w{38}$/).textContent()
  const status = async () => (await service.as({ 'x-app-api-key': key! }).get('/api/v1/apps/players')).status
  expect(await status()).toBe(200)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await inAllShapes(page, 'app-overview-keys', () => page.getByText('Build 7', { exact: true }).waitFor())
  expect(await page.getByText(key!).count(), 'the key is not shown again').toBe(0)

  await page.getByRole('button', { name: 'Delete the key Build 7' }).click()
  await page.getByRole('button', { name: 'Delete key', exact: true }).click()
  await page.getByText('No additional keys').waitFor()
  await expect.poll(status).toBe(401)
  expect(complaints).toEqual([])
})

test('a webhook is added, tried, and its deliveries are seen, filtered and sent again', async () => {
  const { open, person } = opened
  const owner = await person({ name: 'hooker' })
  const app = await givenApp(owner, 'Told')
  const { page, complaints } = await open(`/apps/${app.id}/webhooks`, { token: owner.token })
  await inAllShapes(page, 'app-webhooks-empty', () => page.getByText('No webhooks yet').waitFor())
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill('http://10.0.0.1/hook')
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await inAllShapes(page, 'app-webhook-add', () =>
    dialog.locator('[aria-invalid=true], [role=alert]').first().waitFor(),
  )
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await dialog.getByText(/^whsec_/).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.waitForURL(/hook=/)

  await app.post('/api/v1/apps/players', { displayName: 'low_tide' })
  await page.getByRole('button', { name: 'Send test event' }).click()
  const ping = await receiver.next(({ type }) => type === 'ping')
  expect(ping, 'the test event arrived').toBeDefined()
  await page.getByRole('row', { name: /player\.created .*Delivered/ }).waitFor()
  await inAllShapes(page, 'app-webhooks', () => page.getByRole('row', { name: /ping .*Delivered/ }).waitFor())

  await page.getByRole('link', { name: 'ping' }).click()
  await inAllShapes(page, 'app-delivery', () => page.getByText(/^HTTP 200 after/).waitFor())
  const before = receiver.received.length
  await page.getByRole('button', { name: 'Redeliver', exact: true }).click()
  expect(await receiver.count(before + 1)).toBe(before + 1)
  expect(receiver.received.at(-1)!.headers['webhook-id'], 'it is the same event').toBe(ping!.headers['webhook-id'])
  await page.keyboard.press('Escape')

  await page.getByText('Failed', { exact: true }).click()
  await page.getByText('No deliveries with this status').waitFor()
  expect(page.url()).toContain('status=FAILED')
  await page.getByRole('button', { name: 'Redeliver all failed' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Redeliver', exact: true }).click()
  await page.getByText('0 events queued').waitFor()
  expect(complaints).toEqual([])
})

test('a receiver that refuses is seen as failing with its answer, and a webhook that is switched off sends nothing', async () => {
  const { open, person } = opened
  const owner = await person({ name: 'refused' })
  const app = await givenApp(owner, 'Refused')
  const usual = receiver.answer
  receiver.answer = (response) => {
    response.writeHead(503).end('the tide is out')
    return false
  }
  const list = `/api/v1/apps/${app.id}/webhooks`
  const { body: hook } = await owner.post(list, { url: receiver.url, eventTypes: ['player.created'] })
  await app.post('/api/v1/apps/players', { displayName: 'low_tide' })
  const { page, complaints } = await open(`/apps/${app.id}/webhooks?hook=${hook.id}`, { token: owner.token })
  await page.getByText('Failing').first().waitFor()
  await page.getByRole('link', { name: 'player.created' }).click()
  await page.getByText('the tide is out').first().waitFor()
  await page.keyboard.press('Escape')
  receiver.answer = usual

  await page.getByRole('switch', { name: 'Enabled' }).click()
  await page.getByText('Off', { exact: true }).first().waitFor()
  expect((await owner.get(`${list}/${hook.id}`)).body.enabled).toBe(false)
  await page.getByRole('button', { name: 'Show signing secret' }).click()
  await page.getByText(hook.secret).waitFor()
  await page.getByRole('button', { name: 'Rotate secret…' }).click()
  await page.getByRole('button', { name: 'Rotate secret', exact: true }).click()
  await page.getByText(/The previous secret stays valid until/).waitFor()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByText('No webhooks yet').waitFor()
  expect(complaints).toEqual([])
})

test('on a phone, the labels below the bars of a chart do not run into each other, in German either', async () => {
  const owner = await opened.person({ name: 'phone-owner' })
  const app = await opened.given.app({ owner })
  const viewport = { width: 375, height: 812 }
  const { page } = await opened.open(`/apps/${app.id}/usage`, { token: owner.token, viewport, locale: 'de-DE' })
  const labels = page.locator('[aria-hidden] > span[style*="left"]').filter({ visible: true })
  await labels.first().waitFor()
  const boxes = await Promise.all((await labels.all()).map((label) => label.boundingBox()))
  expect(boxes.length).toBeGreaterThan(2)
  for (const [at, box] of boxes.slice(1).entries()) expect(box!.x - boxes[at]!.x - boxes[at]!.width).toBeGreaterThan(4)
})

test('usage has the figures of the chart as a table, for each of its times, and compares the calls with the time before', async () => {
  const { open, person, service } = opened
  const owner = await person({ name: 'counter' })
  const app = await givenApp(owner)
  await sqlOn(service)(
    `insert into usage_hours values ($1, $2, 'gone', 100000, 0, 0, 0, array_fill(70, array[60]), array_fill(9, array[22]))`,
    [app.id, new Date(Date.now() - (Date.now() % HOUR_MS) - 30 * HOUR_MS)],
  )
  const { page, complaints } = await open(`/apps/${app.id}/usage`, { token: owner.token })
  for (const days of [1, 7, 30, 90]) {
    // The page and the test must see the same hour.
    const left = HOUR_MS - (Date.now() % HOUR_MS)
    if (left < 30_000) await sleep(left)
    await page.getByText(days === 1 ? '24 hours' : `${days} days`, { exact: true }).click()
    await page.waitForURL(new RegExp(`days=${days}`))
    const table = page.getByRole('table', { name: 'Calls by period' }).getByRole('row')
    const { body } = await owner.get(`/api/v1/apps/${app.id}/usage?days=${days}`)
    await expect.poll(() => table.count()).toBe(body.buckets.length + 2)
    await page.getByRole('row', { name: `Total ${body.totals.calls.toLocaleString('en')}` }).waitFor()
  }
  await page.goto(`${page.url().split('?')[0]}?days=1`)
  await inAllShapes(page, 'app-usage', () => page.getByText(/% more than before \(100,000\)/).waitFor())
  expect(complaints).toEqual([])
})

test('settings change an app, say which field is wrong, and delete it once its name is typed, counting what goes', async () => {
  const { open, person } = opened
  const owner = await person({ name: 'settler' })
  const app = await givenApp(owner, 'Doomed')
  const { page, complaints } = await open(`/apps/${app.id}/settings`, { token: owner.token })
  await page.getByLabel('Image URL').fill('no address')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  await page.getByLabel('Image URL').fill('')
  await page.getByRole('textbox', { name: 'Name' }).fill('Doomed Hunt')
  await page.getByRole('radio', { name: 'Public' }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { name: 'Doomed Hunt', level: 1 }).waitFor()
  expect((await owner.get(`/api/v1/apps/${app.id}`)).body).toMatchObject({ name: 'Doomed Hunt', visibility: 'PUBLIC' })
  await inAllShapes(page, 'app-settings', () => page.getByRole('heading', { name: 'Delete this app' }).waitFor())

  await page.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/3 players, 1 session, 3 scores, 1 key/).waitFor()
  const button = dialog.getByRole('button', { name: 'Delete Doomed Hunt' })
  await dialog.getByLabel(/Type Doomed Hunt/).fill('Doomed')
  expect(await button.isDisabled()).toBe(true)
  await inAllShapes(page, 'app-delete', () => button.waitFor())
  await dialog.getByLabel(/Type Doomed Hunt/).fill('Doomed Hunt')
  await button.click()
  await page.waitForURL(/\/console\/apps$/)
  expect((await owner.get(`/api/v1/apps/${app.id}`)).status).toBe(404)
  expect(complaints).toEqual([])
})

test("the list shows one's own apps; admins and ops see all, without their keys", async () => {
  const { open, person } = opened
  const owner = await person({ name: 'lister', roles: [] })
  const app = await givenApp(owner, 'Listed')
  await givenApp(owner, 'Other')
  const mine = await open('/apps', { token: owner.token })
  await inAllShapes(mine.page, 'apps', () => mine.page.getByRole('link', { name: 'Listed' }).waitFor())
  expect(await mine.page.getByText('Everyone’s', { exact: true }).count()).toBe(0)
  await mine.page.getByLabel('Search apps').fill('nowhere')
  await mine.page.getByText('No apps match “nowhere”').waitFor()
  await mine.page.getByRole('button', { name: 'Clear' }).click()
  await mine.page.getByRole('link', { name: 'Listed' }).waitFor()

  const ops = await person({ name: 'ops', roles: ['ops'] })
  const all = await open('/apps', { token: ops.token })
  await all.page.getByText('No apps yet').first().waitFor()
  await all.page.getByText('Everyone’s', { exact: true }).click()
  await all.page.getByRole('link', { name: 'Listed' }).click()
  await all.page.waitForURL(new RegExp(app.id))
  await all.page.getByText('3 (+3 this week)').waitFor()
  expect(await all.page.getByRole('heading', { name: 'API key' }).count(), 'the key is not theirs').toBe(0)
  await all.page.goto(`${opened.service.url}/console/apps/${app.id}/settings`)
  await all.page.getByText('Your role in this app does not include this page.').waitFor()
  expect([...mine.complaints, ...all.complaints]).toEqual([])
})
