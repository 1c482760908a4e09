import { afterAll, beforeAll, expect, test } from 'vitest'
import { away, fixAt } from '../../../../server/test/fences/fence-world.ts'
import type { Caller } from '../../../../server/test/service.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../../support/console.ts'

const WELL = { lat: 54.32, lon: 10.14 }

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
let app: Caller & { id: string; key: string }
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
  app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const pin = { title: 'Well', contentType: 'GLB', latitude: WELL.lat, longitude: WELL.lon }
  const { id: pinId } = (await keeper.post('/api/location/pins', pin)).body
  const fence = { name: 'Old well', pinId, radius: 25, dwellSeconds: 30, checkIn: { award: { points: 10 } } }
  expect((await app.post('/api/v1/apps/fences', fence)).status).toBe(201)
})
afterAll(() => opened.stop())

const openFences = () => opened.open(`/apps/${app.id}/fences`, { token: keeper.token })
async function phoneOf(name: string): Promise<Caller> {
  const { id: playerId } = await opened.given.player(app, name)
  const { playerToken } = (await app.post('/auth/player-token', { playerId })).body
  return opened.service.as({ ...app.headers, authorization: `Bearer ${playerToken}` } as Record<string, string>)
}
const lineOf = ({ lat, lon }: { lat: number; lon: number }) => `${lat}, ${lon}`

test('a walk over a fence shows what the service would report and how it would judge a check-in', async () => {
  const { page, complaints } = await openFences()
  const simulator = page.getByRole('region', { name: 'Simulator' })
  await simulator
    .getByLabel('Path', { exact: true })
    .fill([away(WELL, -60), WELL, away(WELL, 60)].map(lineOf).join('\n'))
  await simulator.getByLabel('Seconds at each place').fill('40')
  await simulator.getByRole('button', { name: 'Walk' }).click()
  const rows = simulator.getByRole('table').locator('tbody tr')
  const rowTexts = async () => (await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' ').trim())
  await expect
    .poll(rowTexts)
    .toEqual([
      expect.stringMatching(/^\d:\d\d Enters Old well$/),
      expect.stringMatching(/^\d:\d\d Check-in accepted 10 points Old well$/),
      expect.stringMatching(/^\d:\d\d Stays Old well$/),
      expect.stringMatching(/^\d:\d\d Leaves Old well$/),
    ])
  await inAllShapes(page, 'fence-simulator', () => rows.first().waitFor())

  await simulator.getByLabel('Accuracy in metres').fill('80')
  await simulator.getByRole('button', { name: 'Walk' }).click()
  await simulator.getByText('The position is not accurate enough').waitFor()
  expect((await app.get('/api/v1/apps/check-ins')).body.checkIns).toEqual([])
  expect(complaints).toEqual([])
})

test('a click on the map adds a place to the path, and a line that is no place is reported', async () => {
  const { page, complaints } = await openFences()
  const simulator = page.getByRole('region', { name: 'Simulator' })
  await simulator.locator('[data-map="idle"]').waitFor()
  const path = simulator.getByLabel('Path', { exact: true })
  for (const count of [1, 2]) {
    await simulator.locator('canvas').click({ position: { x: 60 * count, y: 80 } })
    await expect.poll(async () => (await path.inputValue()).split('\n').length).toBe(count)
  }
  expect(await path.inputValue()).toMatch(/^54\.\d+, 10\.\d+\n54\.\d+, 10\.\d+$/)
  await path.fill('54.32, 10.14\nthe well')
  await simulator.getByText('Line 2 is not a latitude and a longitude').waitFor()
  expect(await simulator.getByRole('button', { name: 'Walk' }).isDisabled()).toBe(true)
  await simulator.getByRole('button', { name: 'Clear' }).click()
  expect(await path.inputValue()).toBe('')
  expect(complaints).toEqual([])
})

test('what players do at fences appears as it happens', async () => {
  const { page, complaints } = await openFences()
  const live = page.getByRole('region', { name: 'Live events' })
  await live.getByText('No events yet').waitFor()
  await live.getByText('Live', { exact: true }).waitFor()
  const phone = await phoneOf('brasscompass')
  const fixes = [fixAt(WELL, { ago: 20 }), fixAt(away(WELL, 300), { ago: -20 })]
  expect((await phone.post('/api/v1/apps/positions', { fixes })).body.events).toHaveLength(2)
  const rows = live.getByRole('table').locator('tbody tr')
  await expect
    .poll(async () => (await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' ').trim()))
    .toEqual([
      // by a clock that is ahead
      expect.stringMatching(/^brasscompass Leaves Old well (now|\d+ s ago)$/),
      expect.stringMatching(/^brasscompass Enters Old well/),
    ])
  await inAllShapes(page, 'fence-live', () => rows.first().waitFor())
  expect(complaints).toEqual([])
})

test('held check-ins are accepted and rejected in the reviews, which name the fence on a phone, too', async () => {
  const [fence] = (await app.get('/api/v1/apps/fences')).body.fences
  for (const name of ['anna', 'ben']) {
    const sent = { fenceId: fence.id, fix: fixAt(WELL, { mocked: true }) }
    expect((await (await phoneOf(name)).post('/api/v1/apps/check-ins', sent)).body.state).toBe('held')
  }
  const { page, complaints } = await opened.open(`/apps/${app.id}/reviews`, {
    ...{ token: keeper.token, viewport: { width: 375, height: 800 } },
  })
  await expect.poll(() => page.getByRole('link', { name: 'Old well' }).filter({ visible: true }).count()).toBe(2)
  await inAllShapes(page, 'reviews-check-ins', () => page.getByRole('row', { name: /anna/ }).waitFor())
  await page
    .getByRole('row', { name: /anna/ })
    .getByRole('button', { name: /^Accept/ })
    .click()
  await page.getByRole('row', { name: /anna/ }).waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: /ben/ })
    .getByRole('button', { name: /^Reject/ })
    .click()
  await page.getByText('Nothing to review').waitFor()
  const { checkIns } = (await app.get('/api/v1/apps/check-ins')).body
  expect(checkIns.map(({ state }: { state: string }) => state)).toEqual(['rejected', 'accepted'])
  expect(complaints).toEqual([])
})
