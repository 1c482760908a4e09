import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { png } from '../../../server/test/content/glb.ts'
import { formOf } from '../../../server/test/multipart.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
let app: Awaited<ReturnType<OpenConsole['given']['app']>>
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
  app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
})
afterAll(() => opened.stop())

/** What is shown in place of an empty list. */
const empty = (page: Page, title: string) => page.getByRole('heading', { name: title }).locator('..')
const dialog = (name: string) => async (page: Page) => {
  await page.getByRole('dialog', { name }).waitFor()
}
const fileDialog = async (page: Page, press: () => Promise<void>) => {
  const chooser = page.waitForEvent('filechooser')
  await press()
  await chooser
}

test.each<[list: string, path: () => Promise<string>, title: string, button: string, leadsTo: (page: Page) => unknown]>(
  [
    [
      'webhooks on the overview',
      async () => `/apps/${app.id}`,
      'No webhooks yet',
      'Add webhook',
      dialog('Add webhook'),
    ],
    ['additional keys', async () => `/apps/${app.id}`, 'No additional keys', 'Add key', dialog('Add an API key')],
    ['scans', async () => '/scans', 'No scans yet', 'New scan', dialog('New scan')],
    [
      'scores on a leaderboard',
      async () => `/apps/${app.id}/boards/default`,
      'No scores yet',
      'Sessions',
      (page) => page.waitForURL(/\/sessions$/),
    ],
    [
      'players in a session',
      async () => {
        const { body } = await app.post('/api/v1/apps/game-sessions', { name: 'Friday' })
        return `/apps/${app.id}/sessions/${body.id}`
      },
      'No players have joined yet.',
      'Add player',
      (page) => page.locator('input[aria-label="Add player"]:focus').waitFor(),
    ],
  ],
)('an empty list of %s has a button that starts it', async (_list, path, title, button, leadsTo) => {
  const { page, complaints } = await opened.open(await path(), { token: keeper.token })
  await empty(page, title).getByRole('button', { name: button }).click()
  await leadsTo(page)
  expect(complaints).toEqual([])
})

test.each<[list: string, path: (appId: string) => string, button: string]>([
  ['players', (id) => `/apps/${id}/players`, 'New player'],
  ['seasons', (id) => `/apps/${id}/seasons`, 'New season'],
  ['mini games', (id) => `/apps/${id}/mini-games`, 'New mini game'],
  ['sessions', (id) => `/apps/${id}/sessions`, 'New session'],
  ['fences', (id) => `/apps/${id}/fences`, 'New fence'],
  ['webhooks', (id) => `/apps/${id}/webhooks`, 'Add webhook'],
  ['tokens', () => '/tokens', 'New token'],
])('an empty list of %s has its button once, not in the header too', async (_list, path, button) => {
  const bare = await opened.given.app({ owner: keeper })
  const { page, complaints } = await opened.open(path(bare.id), { token: keeper.token })
  const buttons = page.getByRole('button', { name: button })
  await page.locator('[data-empty] [data-make]').first().waitFor()
  expect(await buttons.count()).toBe(1)
  expect(complaints).toEqual([])
})

test('while a list loads the header has no button that moves away, and its other actions stay where they are', async () => {
  const bare = await opened.given.app({ owner: keeper })
  const { page, complaints } = await opened.open('/apps', { token: keeper.token })
  const arrive = Promise.withResolvers<void>()
  await page.route('**/api/v1/apps/players?**', async (route) => {
    await arrive.promise
    await route.continue()
  })
  await page.goto(`${opened.service.url}/console/apps/${bare.id}/players`)
  const call = page.getByRole('button', { name: 'As API call' })
  const before = await call.boundingBox()
  expect(await page.getByRole('button', { name: 'New player' }).count()).toBe(0)
  arrive.resolve()
  await page.locator('[data-empty] [data-make]').click()
  await page.getByRole('dialog', { name: 'New player' }).waitFor()
  expect(await call.boundingBox()).toEqual(before)
  expect(complaints).toEqual([])
})

test('the header has the button of a list that is not empty', async () => {
  const filled = await opened.given.app({ owner: keeper })
  await filled.post('/api/v1/apps/players', { displayName: 'Anna' })
  const { page, complaints } = await opened.open(`/apps/${filled.id}/players`, { token: keeper.token })
  await page.getByRole('link', { name: 'Anna' }).waitFor()
  await page.getByRole('button', { name: 'New player' }).click()
  await page.getByRole('dialog', { name: 'New player' }).waitFor()
  expect(complaints).toEqual([])
})

test('an empty list says who can add to it, where the role of the user cannot', async () => {
  const viewer = await opened.person({ name: 'onlooker', roles: [] })
  await keeper.post(`/api/v1/apps/${app.id}/members`, { userId: viewer.id, role: 'viewer' })
  const { page, complaints } = await opened.open(`/apps/${app.id}/seasons`, { token: viewer.token })
  await empty(page, 'No seasons yet').getByText('Developers, admins and owners of this app can add one.').waitFor()
  expect(await page.getByRole('button', { name: 'New season' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test.each([
  ['files', async () => '/files', 'No files yet', 'Choose files'],
  [
    'imports',
    async () => `/import?zone=${(await keeper.post('/api/zones', { title: 'Quay' })).body.id}`,
    'No imports in this zone yet',
    'Choose file',
  ],
])('an empty list of %s has a button that chooses a file', async (_list, path, title, button) => {
  const { page, complaints } = await opened.open(await path(), { token: keeper.token })
  await fileDialog(page, () => empty(page, title).getByRole('button', { name: button }).click())
  expect(complaints).toEqual([])
})

test('files have an icon of their kind, and a small image is its own thumbnail', async () => {
  const painter = await opened.person({ name: 'painter' })
  for (const file of [
    { name: 'chart.png', bytes: png },
    { name: 'points.csv', bytes: 'a,b' },
  ])
    await painter.post('/api/upload', formOf(file))
  const { page, complaints } = await opened.open('/files', { token: painter.token })
  const iconOf = (name: string) => page.getByRole('row', { name }).locator('[data-kind]')
  await inAllShapes(page, 'file-icons', () => iconOf('chart.png').locator('img').waitFor())
  await expect
    .poll(() =>
      iconOf('chart.png')
        .locator('img')
        .evaluate((image: { naturalWidth: number }) => image.naturalWidth),
    )
    .toBe(1)
  await iconOf('points.csv').locator('svg').waitFor()
  expect(complaints).toEqual([])
})
