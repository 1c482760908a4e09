import { afterAll, beforeAll, expect, test } from 'vitest'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { idle } from '../support/harbour.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
  for (const [title, latitude, longitude] of [
    ['Slussen', 59.32, 18.07],
    ['Järntorget', 59.275, 15.215],
  ] as const)
    await keeper.post('/api/location/pins', { title, contentType: 'AUDIO', latitude, longitude })
})
afterAll(() => opened.stop())

test('a town is found by the beginning of a word without its accents, and the map shows the places there', async () => {
  const { page, complaints } = await opened.open('/map', { token: keeper.token })
  await idle(page)
  const listed = () => page.getByRole('region', { name: 'Places' }).locator('[data-row]').allTextContents()
  await expect.poll(async () => (await listed()).length).toBe(2)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const field = page.getByRole('combobox', { name: 'Find a town or coordinates' })
  await field.fill('orebro')
  await page.getByRole('option', { name: 'Örebro, Sweden' }).waitFor()
  expect(requests.filter((url) => url.includes('gazetteer'))).toHaveLength(1)
  await inAllShapes(page, 'map-town', () => page.getByRole('option', { name: 'Örebro, Sweden' }).waitFor())
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await listed()).join()).toMatch(/^[^,]*Järntorget[^,]*$/)
  expect(complaints).toEqual([])
})

test('coordinates in the same field are shown, too', async () => {
  const { page, complaints } = await opened.open('/map', { token: keeper.token })
  await idle(page)
  await page.getByRole('combobox', { name: 'Find a town or coordinates' }).fill('59.32, 18.07')
  await page.keyboard.press('Enter')
  const listed = () => page.getByRole('region', { name: 'Places' }).locator('[data-row]').allTextContents()
  await expect.poll(async () => (await listed()).join()).toMatch(/^[^,]*Slussen[^,]*$/)
  expect(complaints).toEqual([])
})

test('where the map is narrow beside its list, the search is below the buttons and clear of them', async () => {
  const { page } = await opened.open('/map', { token: keeper.token, viewport: { width: 820, height: 1100 } })
  await idle(page)
  const boxOf = async (name: string) => (await page.getByLabel(name, { exact: true }).first().boundingBox())!
  const field = await boxOf('Find a town or coordinates')
  const [pin, zoom] = [await boxOf('Add pin'), await boxOf('Zoom in')]
  expect(field.width).toBeGreaterThan(160)
  expect(field.y).toBeGreaterThan(pin.y + pin.height)
  expect(field.x + field.width).toBeLessThan(zoom.x)
})
