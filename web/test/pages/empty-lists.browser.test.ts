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
