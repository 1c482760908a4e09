import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

async function givenApp() {
  const keeper = await opened.person()
  const app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  return { app, keeper }
}

/** Opens a page, then another one by its address, so that the first is shown again without loading. */
async function openTwo(first: string, second: string, token: string, isShown: (page: Page) => Promise<void>) {
  const { page, complaints } = await opened.open(first, { token })
  await isShown(page)
  await page.evaluate(`history.pushState(null, '', '/console${second}')`)
  return { page, complaints }
}

test('what is typed about a player is not saved to another one', async () => {
  const { app, keeper } = await givenApp()
  const [anna, ben] = [await opened.given.player(app, 'anna'), await opened.given.player(app, 'ben')]
  const at = (id: string) => `/apps/${app.id}/players/${id}`
  const { page, complaints } = await openTwo(at(anna.id), at(ben.id), keeper.token, (page) =>
    page.getByRole('heading', { name: 'anna' }).waitFor(),
  )
  await page.getByRole('heading', { name: 'ben' }).waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog', { name: 'ben' }).getByLabel('Display name').fill('benjamin')
  await page.goBack()
  await expect
    .poll(() => page.getByRole('dialog', { name: 'anna' }).getByLabel('Display name').inputValue())
    .toBe('anna')
  expect(complaints).toEqual([])
})

test('a score that is typed in one session is not shown in another one', async () => {
  const { app, keeper } = await givenApp()
  const player = await opened.given.player(app, 'anna')
  const sessions: string[] = []
  for (const name of ['Regatta', 'Night run']) {
    const { id } = (await app.post('/api/v1/apps/game-sessions', { name })).body
    await app.post(`/api/v1/apps/game-sessions/${id}/players`, { playerId: player.id })
    sessions.push(`/apps/${app.id}/sessions/${id}`)
  }
  const [first, second] = sessions as [string, string]
  const { page, complaints } = await openTwo(first, second, keeper.token, (page) =>
    page.getByLabel('Score of anna').waitFor(),
  )
  await page.getByRole('heading', { name: 'Night run' }).waitFor()
  const field = page.getByLabel('Score of anna')
  await field.fill('70')
  await page.goBack()
  await page.getByRole('heading', { name: 'Regatta' }).waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
  expect(complaints).toEqual([])
})

test('what is typed while a form is saved stays', async () => {
  const { app, keeper } = await givenApp()
  const { page, complaints } = await opened.open(`/apps/${app.id}/settings`, { token: keeper.token })
  const held = Promise.withResolvers<void>()
  await page.route(`**/apps/${app.id}`, async (route) => {
    if (route.request().method() === 'PATCH') await held.promise
    await route.continue()
  })
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Harbour Night')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await name.fill('Harbour Night 2')
  held.resolve()
  await page.getByRole('heading', { name: 'Harbour Night', level: 1, exact: true }).waitFor()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await name.inputValue()).toBe('Harbour Night 2')
  expect(complaints).toEqual([])
})
