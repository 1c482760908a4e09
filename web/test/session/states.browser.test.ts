import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../server/test/service.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
let app: Caller & { id: string }
beforeAll(async () => {
  opened = await startConsole({ CAIRN_LIMIT_USER_PER_MINUTE: '400' })
  keeper = await opened.person()
  app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
})
afterAll(() => opened.stop())

test('while the service does not respond, a banner says since when, form input stays, and the page resumes when it returns', async () => {
  const { page } = await opened.open(`/apps/${app.id}/players`, { token: keeper.token })
  await page.getByText('No players yet').waitFor()
  await page.getByRole('button', { name: 'New player' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Winter walker')
  await page.context().setOffline(true)
  await inAllShapes(page, 'offline', () => page.getByText('Retrying in').waitFor())
  await dialog.getByRole('button', { name: 'Create player' }).click()
  await dialog.getByText('did not respond').waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Winter walker')
  await page.context().setOffline(false)
  await page.getByText('Retrying in').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Create player' }).click()
  await page.getByRole('heading', { name: 'Winter walker' }).waitFor()
})

test('a session that ended elsewhere is renewed over the page, and form input stays', async () => {
  const mover = await opened.person({ name: 'mover' })
  const own = await opened.given.app({ owner: mover, name: 'Pier to pier' })
  const { page } = await opened.open(`/apps/${own.id}/settings`, { token: mover.token })
  await page.getByRole('textbox', { name: 'Name' }).fill('Second try')
  await mover.post('/auth/sign-out')
  // The page asks for something of its own now and then, and may have found it out: then the dialog lies over the button.
  await page.getByRole('button', { name: 'Save', exact: true, includeHidden: true }).dispatchEvent('click')
  const over = page.getByRole('dialog', { name: 'You were signed out' })
  await over.waitFor()
  const again = await opened.person({ name: 'mover' })
  // As the sign-in in another tab stores it, with the event that this tab gets.
  await page.evaluate(`
    const [key, newValue] = ['cairn-session', ${JSON.stringify(again.token)}]
    localStorage.setItem(key, newValue)
    dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }))
  `)
  await over.waitFor({ state: 'detached' })
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Second try')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
})

test('a rate-limited user sees when the page retries', async () => {
  const hasty = await opened.person({ name: 'hasty' })
  const answers = await Promise.all(Array.from({ length: 401 }, () => hasty.get('/api/v1/apps')))
  expect(answers.some(({ status }) => status === 429)).toBe(true)
  const { page } = await opened.open('/apps', { token: hasty.token })
  const told = page.getByText(/Too many requests. Retrying in \d+ s/)
  const left = async () => Number(/in (\d+) s/.exec((await told.first().textContent()) ?? '')?.[1])
  const before = await left()
  await expect.poll(left).toBeLessThan(before)
})
