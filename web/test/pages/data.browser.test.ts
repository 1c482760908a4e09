import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../server/test/service.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
let app: Caller & { id: string }
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
  app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
})
afterAll(() => opened.stop())

const openAt = (path: string) => opened.open(`/apps/${app.id}${path}`, { token: keeper.token })

test('a configuration is written, refused as long as it is no JSON object, and an earlier version is restored', async () => {
  const { page, complaints } = await openAt('/config')
  const editor = page.getByLabel('Configuration (JSON)')
  const save = page.getByRole('button', { name: 'Save as new version' })
  await page.getByText('No configuration yet.').waitFor()
  for (const text of ['{"event": ', '[1]', 'null']) {
    await editor.fill(text)
    await save.click()
    await expect.poll(() => editor.getAttribute('aria-invalid')).toBe('true')
  }
  await editor.fill('{"event": "winter"}')
  await save.click()
  await page.getByText('Version 1 is live').waitFor()
  await app.put('/api/v1/apps/config', { event: 'spring' })
  await page.reload()
  await inAllShapes(page, 'app-config', () => page.getByRole('button', { name: 'Open version 1' }).waitFor())

  await page.getByRole('button', { name: 'Open version 1' }).click()
  await page.getByText('shows version 1; save it to restore it').waitFor()
  await expect.poll(() => editor.inputValue()).toContain('winter')
  await save.click()
  await page.getByText('Version 3 is live').waitFor()
  expect((await app.get('/api/v1/apps/config')).body).toEqual({ event: 'winter' })
  expect(complaints).toEqual([])
})

test('a concurrent change of another user is not overwritten', async () => {
  await app.put('/api/v1/apps/config', { event: 'summer' })
  const { page } = await openAt('/config')
  const editor = page.getByLabel('Configuration (JSON)')
  await expect.poll(() => editor.inputValue()).toContain('summer')
  await app.put('/api/v1/apps/config', { event: 'autumn' })
  await editor.fill('{"event": "mine"}')
  await page.getByRole('button', { name: 'Save as new version' }).click()
  await page.getByText('Changed meanwhile').waitFor()
  expect(await editor.inputValue()).toContain('mine')
  expect((await app.get('/api/v1/apps/config')).body).toEqual({ event: 'autumn' })
})

test('a key of a player is made, seen, edited and deleted', async () => {
  const player = await opened.given.player(app, 'brasscompass')
  const path = `/api/v1/apps/players/${player.id}/storage/save.1`
  const { page, complaints } = await openAt(`/players/${player.id}`)
  await page.getByText('The game has stored nothing for this player.').waitFor()
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog').first()
  await dialog.getByLabel('Key').fill('save.1')
  await dialog.getByLabel('Value (JSON)').fill('{"level": 7}')
  await dialog.getByRole('button', { name: 'Save value' }).click()
  await page.getByText('save.1 was saved').waitFor()
  expect((await app.get(path)).body).toEqual({ level: 7 })

  await page.getByRole('button', { name: 'Open save.1' }).click()
  const value = dialog.getByLabel('Value (JSON)')
  await expect.poll(() => value.inputValue()).toContain('"level": 7')
  await inAllShapes(page, 'player-data', () => value.waitFor())
  await value.fill('{"level": 8}')
  await dialog.getByRole('button', { name: 'Save value' }).click()
  await expect.poll(async () => (await app.get(path)).body).toEqual({ level: 8 })

  await page.getByRole('button', { name: 'Open save.1' }).click()
  await page.getByRole('button', { name: 'Delete key…' }).click()
  await page.getByRole('button', { name: 'Delete key', exact: true }).click()
  await page.getByText('save.1 was deleted').waitFor()
  expect((await app.get(path)).status).toBe(404)
  expect(complaints).toEqual([])
})
