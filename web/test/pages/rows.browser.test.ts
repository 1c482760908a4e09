import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

test('a click anywhere in the row of a webhook opens it, one that selects text does not', async () => {
  const keeper = await opened.person()
  const app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const hook = { url: 'https://hooks.example/cairn', eventTypes: ['player.created'] }
  const { body } = await keeper.post(`/api/v1/apps/${app.id}/webhooks`, hook)
  const { page, complaints } = await opened.open(`/apps/${app.id}/webhooks`, { token: keeper.token })
  const events = page.getByRole('cell', { name: '1 event' })
  await events.waitFor()

  const box = (await events.boundingBox())!
  const middle = box.y + box.height / 2
  await page.mouse.move(box.x + 2, middle)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, middle, { steps: 5 })
  await page.mouse.up()
  expect(await page.evaluate('String(getSelection())')).toContain('1 event')
  expect(page.url()).not.toContain('hook=')

  await page.mouse.click(box.x + box.width - 10, middle)
  await page.waitForURL(new RegExp(`hook=${body.id}`), { timeout: 10_000 })
  expect(complaints).toEqual([])
})
