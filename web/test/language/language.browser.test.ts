import { afterAll, beforeAll, expect, test } from 'vitest'
import { boxGlb, glbOf } from '../../../server/test/content/glb.ts'
import { sendScan, settledScan } from '../../../server/test/content/scans.ts'
import { formOf } from '../../../server/test/multipart.ts'
import { expectAccessible, type OpenConsole, startConsole } from '../support/console.ts'
import { suzanne } from '../support/models.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
let token: string
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
  token = keeper.token
})
afterAll(() => opened.stop())

test('the console is shown in the language of the browser', async () => {
  const { page, complaints } = await opened.open('/files', { token, locale: 'de-AT' })
  await page.getByRole('heading', { name: 'Dateien', level: 1 }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  // The navigation is loaded with the frame of the page.
  for (const name of ['Karte', 'Import', 'Scans', 'Dateien & Modelle', 'Benutzer'])
    await page.getByRole('link', { name, exact: true }).waitFor()
  await expectAccessible(page)
  expect(complaints).toEqual([])
})

test('the console is English in a browser whose languages it does not have', async () => {
  const { page } = await opened.open('/apps', { token, locale: 'fi-FI' })
  await page.getByRole('heading', { name: 'Apps' }).first().waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('en')
})

test('a language that is chosen in the account menu stays chosen', async () => {
  const { page } = await opened.open('/apps', { token })
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Español' }).click()
  const spanish = page.locator('html[lang=es]')
  await spanish.waitFor({ state: 'attached' })
  await page.goto(`${opened.service.url}/console/scans`)
  await page.getByRole('heading', { name: 'Escaneos', level: 1 }).waitFor()
  await spanish.waitFor({ state: 'attached' })
})

test('durations and details on the page of the health are in the language of the console', async () => {
  const { page } = await opened.open('/files', { token, locale: 'de-DE' })
  await page.route('**/api/v1/box/health', async (route) => {
    const response = await route.fetch()
    const health = await response.json()
    for (const part of health.parts) if (part.ms !== null) part.ms = 12.5
    await route.fulfill({ response, json: health })
  })
  await page.goto(`${opened.service.url}/console/health`)
  await page.getByRole('cell', { name: '12,5 ms' }).first().waitFor()
  await page.getByText('CAIRN_REDIS_URL ist nicht gesetzt').waitFor()
})

test('the time of day of a scan is in the language of the console', async () => {
  const scan = await sendScan(keeper, { name: 'stairs.glb', bytes: await suzanne() }, { lat: 54.32, long: 10.14 })
  const { timeOfDay } = await settledScan(keeper, scan.body.id)
  expect(timeOfDay).toMatch(/^[a-z]+$/)
  const { page } = await opened.open(`/scans/${scan.body.id}`, { token, locale: 'de-DE' })
  const fact = page.locator('dt', { hasText: 'Tageszeit' }).locator('+ dd')
  await fact.waitFor()
  expect(await fact.textContent()).toMatch(/^(Nacht|Morgendämmerung|Vormittag|Nachmittag|Abenddämmerung)$/)
})

test('the report of a conversion names what the translation of a loss does not, in the words of the service', async () => {
  const box = boxGlb()
  const end = 20 + new DataView(box.buffer).getUint32(12, true)
  const json = JSON.parse(Buffer.from(box.slice(20, end)).toString())
  const bytes = glbOf({ ...json, extensionsUsed: ['ACME_glow'] }, box.slice(end + 8))
  const { fileId } = (await keeper.post('/api/upload', formOf({ name: 'glow.glb', bytes }))).body.results[0]
  expect((await keeper.post(`/api/upload/${fileId}/converted_file`)).status).toBe(200)
  const { page } = await opened.open(`/files/${fileId}`, { token, locale: 'de-DE', reducedMotion: 'reduce' })
  const row = page.getByRole('row', { name: 'Erweiterung' })
  await row.getByText('Eine Erweiterung ohne Entsprechung entfällt.').filter({ visible: true }).waitFor()
  await row.locator('[lang=en]').getByText('ACME_glow').filter({ visible: true }).waitFor()
})

test.each([
  ['769,4', 769.4],
  ['12.5', 12.5],
])('a score typed as %s is written in a console that shows decimals with a comma', async (typed, score) => {
  const app = await opened.given.app({ owner: keeper, name: 'Hafen' })
  const { id: playerId } = await opened.given.player(app, 'anna')
  const session = (await app.post('/api/v1/apps/game-sessions', { name: 'Runde' })).body
  const at = `/api/v1/apps/game-sessions/${session.id}/players`
  await app.post(at, { playerId })
  const { page } = await opened.open(`/apps/${app.id}/sessions/${session.id}`, { token, locale: 'de-DE' })
  const field = page.getByRole('textbox', { name: 'Ergebnis von anna' })
  await field.pressSequentially(typed)
  await field.press('Enter')
  await expect.poll(async () => (await app.get(at)).body.players[0].score).toBe(score)
  await expect.poll(() => field.inputValue()).toBe(String(score).replace('.', ','))
})
