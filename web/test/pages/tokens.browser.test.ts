import { afterAll, beforeAll, expect, test } from 'vitest'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

test('a personal token is created with a name, scope and end, shown once, listed, and revoked', async () => {
  const { open, person, service } = opened
  const keeper = await person()
  const { page, complaints } = await open('/tokens', { token: keeper.token })
  await page.getByText('No tokens yet').waitFor()
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByText('This field is required').waitFor()
  await page.getByLabel('Name').fill('QGIS')
  await page.getByLabel('Read and write').check()
  await page.getByRole('combobox', { name: 'Expires in' }).click()
  await page.getByRole('option', { name: '30 days' }).click()
  await page.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('dialog', { name: 'Token QGIS created' })
  const token = (await shown.locator('code').textContent())!
  const withToken = service.as({ authorization: `Bearer ${token}` })
  const pin = { title: 'Well', contentType: 'AUDIO', latitude: 1, longitude: 2 }
  expect((await withToken.post('/api/location/pins', pin)).status).toBe(201)

  await shown.getByRole('button', { name: 'Done' }).click()
  await inAllShapes(page, 'tokens', () => page.getByRole('cell', { name: 'Read and write' }).waitFor())
  expect(await page.getByText(token).count(), 'it is shown once').toBe(0)
  const [{ expiresAt, createdAt }] = (await keeper.get('/api/v1/user/tokens')).body.tokens
  expect(Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000)).toBe(30)

  await page.getByRole('button', { name: 'Revoke the token QGIS' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('No tokens yet').waitFor()
  await expect.poll(async () => (await withToken.post('/api/location/pins', pin)).status).toBe(401)
  expect(complaints).toEqual([])
})

test('the account menu leads to the personal tokens', async () => {
  const keeper = await opened.person()
  const { page } = await opened.open('/apps', { token: keeper.token })
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Personal tokens' }).click()
  await page.getByRole('heading', { name: 'Personal tokens', level: 1 }).waitFor()
})
