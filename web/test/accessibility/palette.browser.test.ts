import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
let app: Awaited<ReturnType<OpenConsole['given']['app']>>
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
  app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const at = { latitude: 54.32, longitude: 10.14 }
  await keeper.post('/api/location/pins', { title: 'Lantern, chandlery', contentType: 'AUDIO', ...at })
  const geoPose = { position: { lat: 54.32, lon: 10.14, h: 2 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  await keeper.post('/api/gcp', { title: 'Lantern base', gcpType: 'SINGLE', geoPose })
  await keeper.post('/api/zones', { title: 'Lantern quay' })
})
afterAll(() => opened.stop())

/** Types into the palette, as with a keyboard alone. */
async function search(page: Page, text: string) {
  await page.keyboard.press('Control+k')
  // What is typed before it has the focus is lost.
  await page.getByRole('textbox', { name: 'Search or go to' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type(text)
}

test('Ctrl K finds pins, control points and zones by name, and Enter opens one on the map', async () => {
  const { page, complaints } = await opened.open('/files', { token: keeper.token, reducedMotion: 'reduce' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await search(page, 'lantern')
  const found = page.getByRole('dialog')
  for (const kind of ['Pin', 'Control point', 'Zone']) await found.getByText(kind, { exact: true }).waitFor()
  // The selected result has other colours. If something was found before all was typed, the first one is selected already.
  await page.keyboard.press('ArrowDown')
  const selected = found.locator('[data-action][data-selected]', { hasText: 'Lantern, chandlery' })
  if ((await selected.count()) === 0) await page.keyboard.press('ArrowUp')
  await selected.waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/map\?select=pin%3A\d+/)
  await page.getByRole('heading', { name: 'Lantern, chandlery' }).waitFor()
  expect(complaints).toEqual([])
})

test('Ctrl K starts a new pin and a new app, and opens the API reference', async () => {
  const { page } = await opened.open('/files', { token: keeper.token })
  const run = async (text: string, action: string) => {
    await page.goto(`${opened.service.url}/console/files`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await search(page, text)
    await page.getByRole('dialog').getByText(action).waitFor()
    await page.keyboard.press('Enter')
  }
  await run('new pin', 'New pin')
  await page.getByRole('heading', { name: 'New pin' }).waitFor()
  expect(new URL(page.url()).searchParams.has('create'), 'a reload opens no other form').toBe(false)
  await run('new app', 'New app')
  await page.waitForURL(/\/welcome\/app/)
  await run('api ref', 'API reference')
  await page.waitForURL(/\/docs\/$/)
})

test('in Ctrl K, "ban" and a name bans the player after a reason, and "restore" finds only who is banned', async () => {
  const cheat = await opened.given.player(app, 'Quickfingers')
  await opened.given.player(app, 'Quickwit')
  const { page, complaints } = await opened.open('/files', { token: keeper.token, reducedMotion: 'reduce' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await search(page, 'ban quickf')
  await page.getByRole('button', { name: 'Ban Quickfingers…' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Ban Quickfingers?' }).waitFor()
  expect((await app.get(`/api/v1/apps/players/${cheat.id}`)).body.standing, 'nothing before the reason').toBeUndefined()
  await page.keyboard.type('Scores that nobody can reach')
  await page.getByRole('button', { name: 'Ban Quickfingers', exact: true }).click()
  await page.getByText('Quickfingers banned').waitFor()
  const { body } = await app.get(`/api/v1/apps/players/${cheat.id}`)
  expect(body).toMatchObject({ standing: 'banned', standingNote: 'Scores that nobody can reach' })

  await search(page, 'restore quick')
  await page.getByRole('button', { name: 'Restore Quickfingers…' }).waitFor()
  expect(await page.getByRole('button', { name: 'Restore Quickwit…' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test('in Ctrl K, "delete" and a name deletes a record once it is confirmed, and its page gives way to the list', async () => {
  const { id } = await opened.given.player(app, 'Wanderer')
  const { page, complaints } = await opened.open(`/apps/${app.id}/players/${id}`, { token: keeper.token })
  await page.getByRole('heading', { name: 'Wanderer', level: 1 }).waitFor()
  await search(page, 'delete a')
  await page.getByRole('button', { name: 'Delete a player, session, place or file…' }).click()
  await page.keyboard.type('wanderer')
  await page.getByRole('button', { name: 'Delete Wanderer…' }).waitFor()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete Wanderer?' })
  await dialog.waitFor()
  expect((await app.get(`/api/v1/apps/players/${id}`)).status, 'nothing before the confirmation').toBe(200)
  await dialog.getByRole('button', { name: 'Delete player' }).click()
  await page.waitForURL(/\/players$/)
  expect((await app.get(`/api/v1/apps/players/${id}`)).status).toBe(404)
  expect(complaints).toEqual([])
})

test.each([
  ['pin', 'Delete pin', '/api/location/pins'],
  ['gcp', 'Delete control point', '/api/gcp'],
])('in Ctrl K, "delete" and a name deletes a place once it is confirmed: %s', async (kind, button, path) => {
  const fields = { pin: { contentType: 'GLB', latitude: 54.32, longitude: 10.14 }, gcp: { gcpType: 'SINGLE' } }
  const { body } = await keeper.post(path, { title: `Mooring ${kind}`, ...fields[kind as 'pin'] })
  const id: number = (body.gcp ?? body).id
  const { page, complaints } = await opened.open('/files', { token: keeper.token })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await search(page, `delete mooring ${kind}`)
  await page.getByRole('button', { name: `Delete Mooring ${kind}…` }).click()
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
  await page.getByText(`Mooring ${kind} was deleted`).waitFor()
  expect((await keeper.get(`${path}/${id}`)).status).toBe(404)
  expect(complaints).toEqual([])
})

test('in Ctrl K, "delete" and the name of a zone that is not empty asks for the name again, and deletes what is in it', async () => {
  const { body: zone } = await keeper.post('/api/zones', { title: 'Shipyard' })
  const fields = { title: 'Crane', contentType: 'GLB', latitude: 54.32, longitude: 10.14, zoneId: zone.id }
  const { body: pin } = await keeper.post('/api/location/pins', fields)
  const { page } = await opened.open(`/map?select=zone:${zone.id}`, { token: keeper.token })
  await page.getByRole('heading', { name: 'Shipyard' }).first().waitFor()
  await search(page, 'delete shipyard')
  await page.getByRole('button', { name: 'Delete Shipyard…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Shipyard' })
  await dialog.getByRole('button', { name: 'Delete zone' }).click()
  await dialog.getByRole('textbox').fill('Shipyard')
  await dialog.getByRole('button', { name: 'Delete zone and contents' }).click()
  await page.getByText('Shipyard deleted').waitFor()
  expect((await keeper.get(`/api/location/pins/${pin.id}`)).status).toBe(404)
  await expect.poll(() => page.url()).not.toContain('select')
})

test('in Ctrl K, "copy" and a name copies the ID of the record', async () => {
  const { page, complaints } = await opened.open('/files', {
    token: keeper.token,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { body } = await app.post('/api/v1/apps/game-sessions', { name: 'Spring tide' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await search(page, 'copy spring')
  await page.getByRole('button', { name: 'Copy the ID of Spring tide' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('ID of Spring tide copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(body.id)
  expect(complaints).toEqual([])
})

test('in Ctrl K, a viewer of an app can copy IDs, but neither ban nor delete its players', async () => {
  const viewer = await opened.person({ name: 'viewer', roles: [] })
  await opened.given.player(app, 'Bystander')
  const { body: invitation } = await keeper.post(`/api/v1/apps/${app.id}/invitations`, { role: 'viewer' })
  await viewer.post('/api/v1/invitations/accept', { token: invitation.token })
  const { page } = await opened.open(`/apps/${app.id}/players`, { token: viewer.token })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await search(page, 'copy bystander')
  await page.getByRole('button', { name: 'Copy the ID of Bystander' }).waitFor()
  for (const verb of ['ban', 'delete']) {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    const answered = page.waitForResponse((response) => new RegExp(`players\\?.*search=${verb}`).test(response.url()))
    await search(page, `${verb} bystander`)
    await answered
    expect(await page.getByRole('button', { name: /^(Ban|Delete) Bystander/ }).count(), verb).toBe(0)
  }
})
