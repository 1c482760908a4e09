import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

const run = promisify(execFile)
const clipboard = ['clipboard-read', 'clipboard-write']

/** What the button copies, run in a shell. @returns the HTTP answer's text */
async function runCopied(page: Page, name: string): Promise<string> {
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  await page.evaluate(`navigator.clipboard.writeText('')`)
  await page.getByRole('button', { name }).click()
  // The button says so for a second only.
  await expect.poll(copied).not.toBe('')
  const { stdout } = await run('sh', ['-c', await copied()])
  return stdout
}

const step = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

test('within two minutes the user of the printed link is a signed-in admin with an app key, a player on a board, a model in AR format and a pin on the map', async () => {
  const { service, open } = opened
  const startedAt = performance.now()
  const { page, complaints } = await open('/', { permissions: clipboard })
  await page.getByText('Create the first admin').waitFor()
  await page.goto((await service.app.box.firstAdminLink())!)
  await page.getByLabel('Login').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByLabel('Password again').fill('correct horse battery')
  await page.getByRole('button', { name: 'Create account' }).click()

  await step(page, 'Check the service')
  await page.getByRole('button', { name: 'Continue' }).click()
  await step(page, 'Create an app')
  await page.getByLabel('Name').fill('Harbour Hunt')
  await page.getByLabel('Description').fill('Find the twelve lanterns')
  await page.getByRole('button', { name: 'Create app' }).click()

  await step(page, 'Make the first call')
  expect(JSON.parse(await runCopied(page, 'Copy Code sample')), 'the copied curl works').toMatchObject({
    displayName: 'mossy_otter',
  })
  await page.getByText('The first call has arrived.').filter({ visible: true }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  await step(page, 'Add data')
  await page.getByRole('button', { name: 'Create sample data' }).click()
  await page.getByText('Sample data created.').waitFor({ timeout: 120_000 })
  await page.getByRole('button', { name: 'Continue' }).click()

  await step(page, 'Create a pin')
  await page.getByLabel('Title').fill('Harbour steps')
  await page.getByLabel('Latitude').fill('51.4801')
  await page.getByLabel('Longitude').fill('-0.0021')
  await page.getByRole('radio', { name: 'Public' }).check()
  await page.getByRole('button', { name: 'Create pin' }).click()

  await step(page, 'Setup complete')
  console.log(`from the printed link to the last page: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)

  const made = new URL(page.url()).searchParams
  const session = await page.evaluate(() => localStorage.getItem('cairn-session'))
  const ada = service.as({ authorization: `Bearer ${session}` })
  const app = (await ada.get(`/api/v1/apps/${made.get('app')}`)).body
  const game = service.as({ 'x-app-api-key': app.apiKey })
  const board = (await game.get(`/api/v1/apps/leaderboards/mini-game?miniGameTypeId=${made.get('board')}`)).body
  expect(board.leaderboard[0]).toMatchObject({ ranking: 1, playerDisplayName: 'brasscompass', playerScore: 9840 })
  const model = (await ada.get(`/api/v1/user/files/${made.get('file')}`)).body
  expect(model.conversion.status).toBe('COMPLETED')
  const usdz = await fetch(model.conversion.usdzUrl)
  expect(
    Buffer.from(await usdz.arrayBuffer())
      .subarray(0, 2)
      .toString(),
    'a USDZ is a ZIP',
  ).toBe('PK')
  const near = (await service.anonymous.get('/api/location/pins?lat=51.4801&lon=-0.0021&radius=50')).body
  expect(near.pins.map(({ title }: { title: string }) => title)).toEqual(['Harbour steps'])
  expect(complaints).toEqual([])
})

test('every step of the guide is accessible and fits a phone, and an admin sees the health of the service', async () => {
  const { open, person } = opened
  const admin = await person()
  const { page, complaints } = await open('/', { token: admin.token, permissions: clipboard })

  await inAllShapes(page, 'first-run-1-box', async () => {
    await step(page, 'Check the service')
    await page.getByRole('row', { name: /Database OK/ }).waitFor()
  })
  await page.getByRole('button', { name: 'Continue' }).click()

  await step(page, 'Create an app')
  await page.getByRole('button', { name: 'Create app' }).click()
  await inAllShapes(page, 'first-run-2-app', () => page.locator('[aria-invalid=true]').first().waitFor())
  await page.locator('[aria-invalid=true]:focus').waitFor()
  await page.getByLabel('Name').fill('Harbour Hunt')
  await page.getByLabel('Description').fill('Find the twelve lanterns before the tide turns.')
  await page.getByRole('button', { name: 'Create app' }).click()

  await step(page, 'Make the first call')
  await runCopied(page, 'Copy Code sample')
  await runCopied(page, 'Copy Code sample')
  await inAllShapes(page, 'first-run-3-call', async () => {
    await page.getByText('The first call has arrived.').filter({ visible: true }).waitFor()
    await page.getByRole('row', { name: /POST \/players.*409/ }).waitFor()
  })
  await page.getByRole('radiogroup', { name: 'Language' }).getByText('Unity').click()
  const unity = page.getByText('UnityWebRequest.Post(')
  await inAllShapes(page, 'first-run-3-unity', () => unity.waitFor())
  // The text in quotes that C# would send is the body.
  const [, body] = /"(\{.*\})",/.exec((await unity.textContent()) ?? '') ?? []
  expect(JSON.parse(JSON.parse(`"${body}"`))).toEqual({ displayName: 'mossy_otter' })
  await page.getByRole('button', { name: 'Show App API key' }).click()
  await page.getByText(/^cairn_\w{8}_\w{38}$/).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  await step(page, 'Add data')
  await page.getByRole('button', { name: 'Use my own data' }).waitFor()
  await page.getByRole('button', { name: 'Create sample data' }).click()
  await inAllShapes(page, 'first-run-4-data', () =>
    page.getByText('Sample data created.').waitFor({ timeout: 120_000 }),
  )
  await page.getByRole('button', { name: 'Continue' }).click()

  await step(page, 'Create a pin')
  await page.getByRole('button', { name: 'Create pin' }).click()
  await inAllShapes(page, 'first-run-5-place', () => page.getByText('Enter a number from −90 to 90').waitFor())
  await page.locator('[aria-invalid=true]:focus').waitFor()
  await page.getByLabel('Title').fill('Harbour steps')
  await page.evaluate("navigator.clipboard.writeText('51.4801, -0.0021')")
  await page.getByLabel('Latitude').focus()
  await page.keyboard.press('Control+v')
  expect(await page.getByLabel('Longitude').inputValue(), 'one paste fills both').toBe('-0.0021')
  // A click on the map, north of the pin that was pasted, fills in both fields.
  await page.locator('[data-map="idle"]').waitFor()
  const map = (await page.locator('[data-map]').boundingBox())!
  await page.locator('[data-map]').click({ position: { x: map.width / 2, y: map.height / 4 } })
  await expect.poll(() => page.getByLabel('Longitude').inputValue()).toMatch(/^-0\.0021\d*$/)
  expect(Number(await page.getByLabel('Latitude').inputValue())).toBeGreaterThan(51.4801)
  await page.getByRole('button', { name: 'Create pin' }).click()

  await inAllShapes(page, 'first-run-6-done', () => step(page, 'Setup complete'))
  await page.getByRole('img', { name: '5 of 5 steps done' }).waitFor()
  // What is complete cannot be skipped.
  expect(await page.getByRole('link', { name: 'Skip the guide' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Open Harbour Hunt' }).click()
  await page.waitForURL(/\/console\/apps\/[\w-]+$/)
  expect(complaints).toEqual([])
})

test('the guide can be left and resumed at any step; without an app it starts with creating one', async () => {
  const { given, open, person } = opened
  const owner = await person({ name: 'returner', roles: [] })
  const { page } = await open('/welcome/place', { token: owner.token })
  await step(page, 'Create an app')

  const app = await given.app({ owner, name: 'Kept' })
  await page.goto(`${new URL(page.url()).origin}/console/welcome/place?app=${app.id}`)
  await step(page, 'Create a pin')
  await page.getByRole('link', { name: /Create an app/ }).click()
  await page.getByText('Kept was created').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await step(page, 'Make the first call')
  await page.getByRole('button', { name: 'Send from this page' }).click()
  await page.getByText('The first call has arrived.').filter({ visible: true }).waitFor()
})

test("another user's app is not shown in the guide, and a user without a role skips the health check", async () => {
  const { given, open, person } = opened
  const owner = await person({ name: 'owner', roles: [] })
  const app = await given.app({ owner })
  const stranger = await person({ name: 'stranger', roles: [] })
  const { page } = await open(`/welcome/call?app=${app.id}`, { token: stranger.token })
  await page.getByText('Not found').waitFor()
  await page.goto(`${new URL(page.url()).origin}/console/welcome/box`)
  await step(page, 'Create an app')
})
