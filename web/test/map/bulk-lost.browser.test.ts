import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'
import { AROUND, type Harbour, harbourOn, off } from '../support/harbour.ts'

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

const TABLE = `${AROUND}&table=true&sort=title`
const panel = (page: Page) => page.getByRole('region', { name: 'Points', exact: true })
const pinsOf = (...names: string[]) => Promise.all(names.map((name, i) => harbour.pin(name, off(10 + 2 * i, 60))))
const contentOf = async ({ id }: { id: number }) =>
  (await harbour.keeper.get(`/api/location/pins/${id}`)).body.contentType as string | undefined

async function select(page: Page, ...titles: string[]) {
  for (const title of titles)
    await panel(page)
      .getByRole('checkbox', { name: `Select ${title}`, exact: true })
      .click()
}

async function change(page: Page, field: string, option: string) {
  await panel(page).getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await page.getByRole('button', { name: /^Change \d+ points?$/ }).click()
}

const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).click()

/** The service answers, and the response does not arrive; neither does it if the page is closed before. */
async function loseResponse(route: Route) {
  await route.fetch().then(
    () => route.abort(),
    (error: Error) => {
      if (!error.message.includes('disposed')) throw error
    },
  )
}

/** Treats the requests of a method to a path in another way, and counts them. */
async function treat(page: Page, method: string, path: string, way: (route: Route) => Promise<void>) {
  const counted = { requests: 0 }
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    counted.requests++
    await way(route)
  })
  return counted
}

test('where the response to a change or its undo is lost, it is looked up: what was written counts, nothing is sent again', async () => {
  const [written, lost, calm] = await pinsOf('Ring a', 'Ring b', 'Ring c')
  const { page } = await harbour.openMap(TABLE)
  const sent = await treat(page, 'PUT', `/api/location/pins/${written!.id}`, loseResponse)
  const unsent = await treat(page, 'PUT', `/api/location/pins/${lost!.id}`, (route) => route.abort())
  await select(page, 'Ring a', 'Ring b', 'Ring c')
  await change(page, 'Content of pins', 'Video')
  await page.getByText('2 points changed').waitFor()
  await page.getByText(/^1 of 3 not changed/).waitFor()
  expect(await Promise.all([written!, lost!, calm!].map(contentOf))).toEqual(['VIDEO', 'AUDIO', 'VIDEO'])
  expect([sent.requests, unsent.requests]).toEqual([1, 1])

  await undo(page)
  await expect.poll(() => Promise.all([written!, calm!].map(contentOf))).toEqual(['AUDIO', 'AUDIO'])
  await page.getByText('Setting points back').waitFor({ state: 'detached' })
  expect(sent.requests).toBe(2)
  expect(await page.getByText('not set back').count()).toBe(0)
})

test('a tag that is taken away and given back counts as written where both responses are lost', async () => {
  const geoPose = { position: { ...off(70, 70), h: 1 }, angles: { yaw: 0, pitch: 0, roll: 0 } }
  const more = { aprilTagId: 44, tagSize: 0.2 }
  const made = await harbour.keeper.post('/api/gcp', { title: 'Stud', gcpType: 'SINGLE', geoPose, ...more })
  const path = `/api/gcp/${made.body.gcp.id}`
  const tagOf = async () => (await harbour.keeper.get(path)).body.aprilTagId as number | null
  const { page } = await harbour.openMap(TABLE)
  const sent = await treat(page, 'PUT', path, loseResponse)
  await select(page, 'Stud')
  await change(page, 'AprilTags of control points', 'Remove the tag')
  await page.getByText('1 point changed').waitFor()
  expect(await tagOf()).toBeNull()
  await undo(page)
  await expect.poll(tagOf).toBe(44)
  await page.getByText('Setting points back').waitFor({ state: 'detached' })
  expect(await page.getByText('not set back').count()).toBe(0)
  expect(sent.requests).toBe(2)
})

test('a change that can neither be answered nor looked up is said to be unknown', async () => {
  const [pin] = await pinsOf('Shackle')
  const { page } = await harbour.openMap(TABLE)
  const path = `/api/location/pins/${pin!.id}`
  await select(page, 'Shackle')
  await treat(page, 'PUT', path, async (route) => {
    await loseResponse(route)
    await treat(page, 'GET', path, (route) => route.abort())
  })
  await change(page, 'Content of pins', 'Video')
  await page.getByText('1 of 1 not changed: no response, so it may have happened after all').waitFor()
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
})

test('a deletion whose responses are all lost counts as done', async () => {
  const pins = await pinsOf('Thimble a', 'Thimble b')
  const { page } = await harbour.openMap(TABLE)
  const path = `/api/location/pins/${pins[0]!.id}`
  const sent = await treat(page, 'DELETE', path, loseResponse)
  const lookedUp = page.waitForResponse((response) => response.url().endsWith(path) && response.status() === 404)
  await remove(page, 'Thimble a', 'Thimble b')
  await lookedUp
  expect(sent.requests).toBe(4)
  await expect.poll(() => Promise.all(pins.map(contentOf))).toEqual([undefined, undefined])
  await page.getByText('Deleting points').waitFor({ state: 'detached' })
  expect(await page.getByText('not deleted').count()).toBe(0)
})

async function remove(page: Page, ...titles: string[]) {
  await select(page, ...titles)
  await panel(page).getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  const notice = page.locator('.mantine-Notification-root').filter({ hasText: 'will be deleted' })
  await notice.getByRole('button', { name: 'Close' }).click()
}

test('a deletion and an undo of a few points show how far they are, and a press on Stop leaves the rest', async () => {
  const titles = ['Cleat 1', 'Cleat 2', 'Cleat 3', 'Cleat 4', 'Cleat 5', 'Cleat 6']
  const pins = await pinsOf(...titles)
  const { page } = await harbour.openMap(TABLE)
  /** Holds requests until Stop has been pressed. @returns how many there were */
  const stopped = async (method: string, work: () => Promise<void>, running: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const held = await treat(page, method, '/api/location/pins/*', async (route) => {
      await promise
      await route.continue()
    })
    await work()
    await page.getByText(`${running}: 0 of 6`).waitFor()
    await expect.poll(() => held.requests).toBe(4)
    await page.getByRole('button', { name: 'Stop' }).click()
    resolve()
    await page.getByText(running).waitFor({ state: 'detached' })
    await page.unrouteAll({ behavior: 'wait' })
  }
  await select(page, ...titles)
  await change(page, 'Content of pins', 'Video')
  await page.getByText('6 points changed').waitFor()
  await stopped('PUT', () => undo(page), 'Setting points back')
  await page.getByText('2 of 6 not set back: stopped').waitFor()
  const contents = async () => (await Promise.all(pins.map(contentOf))).map((content) => content ?? 'gone').toSorted()
  expect(await contents()).toEqual(['AUDIO', 'AUDIO', 'AUDIO', 'AUDIO', 'VIDEO', 'VIDEO'])

  await panel(page).getByRole('button', { name: 'Clear selection' }).click()
  await stopped('DELETE', () => remove(page, ...titles), 'Deleting points')
  await page.getByText('2 of 6 not deleted: stopped').waitFor()
  expect((await contents()).filter((content) => content === 'gone')).toHaveLength(4)
  await expect.poll(() => panel(page).getByRole('checkbox', { name: 'Select Cleat' }).count()).toBe(2)
})
