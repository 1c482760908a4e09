import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

test('the API reference uses the session of the console and the app last viewed there, and leads back', async () => {
  const keeper = await opened.person()
  const app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const { page, complaints } = await opened.open(`/apps/${app.id}`, { token: keeper.token })
  await page.getByRole('heading', { name: 'Harbour Hunt' }).waitFor()

  await page.goto(`${opened.service.url}/docs/#tag/players/GET/api/v1/apps/players`)
  await page.getByText('Requests use your session').waitFor()
  const operation = page.locator('section[id$="tag/players/GET/api/v1/apps/players"]')
  await operation.getByText('x-app-id').first().waitFor()
  const calls = page.waitForRequest((request) => request.url().includes('/api/v1/apps/players'))
  await operation.getByRole('button', { name: /Test Request/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: /Send/ }).first().click()
  const headers = await (await calls).allHeaders()
  expect(headers).toMatchObject({ authorization: `Bearer ${keeper.token}`, 'x-app-id': app.id })
  expect((await (await calls).response())?.status()).toBe(200)

  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.url())
  })
  await page.goto(`${opened.service.url}/docs/`)
  await page.getByText('Requests use your session').waitFor()
  expect(await page.locator('link[rel="icon"]').getAttribute('href')).toMatch(/^data:image\/svg/)
  expect(refused).toEqual([])
  await page.getByRole('link', { name: 'Console' }).click()
  await page.waitForURL(/\/console\//)
  expect(complaints).toEqual([])
})

test('the API reference fills in no session that has ended, and says how to fill one in', async () => {
  const claims = Buffer.from(JSON.stringify({ exp: 1_700_000_000 })).toString('base64url')
  const { page, complaints } = await opened.open('/', { token: `e30.${claims}.e30` })
  await page.goto(`${opened.service.url}/docs/#tag/pins/GET/api/location/pins`)
  await page.getByText('Sign in to the console to fill in your session').waitFor()
  await page.getByText(`${opened.service.url}/api/location/pins`).first().waitFor()
  expect(await page.getByText(claims).count()).toBe(0)
  expect(complaints).toEqual([])
})
