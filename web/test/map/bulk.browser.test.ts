import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { AROUND, type Harbour, harbourOn, idle, off } from '../support/harbour.ts'

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

const TABLE = `${AROUND}&table=true&sort=title`
const panel = (page: Page) => page.getByRole('region', { name: 'Points', exact: true })
const bar = (page: Page) => panel(page).getByRole('toolbar')
const dialog = (page: Page) => page.getByRole('dialog')
const pinOf = async (id: number) => (await harbour.keeper.get(`/api/location/pins/${id}`)).body

async function select(page: Page, ...titles: string[]) {
  for (const title of titles)
    await panel(page)
      .getByRole('checkbox', { name: `Select ${title}`, exact: true })
      .click()
  await bar(page).getByText(`${titles.length} selected`).waitFor()
}

async function choose(page: Page, field: string, option: string) {
  await dialog(page).getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('the pins among selected points get a visibility and a zone, control points stay, and undo sets all back', async () => {
  const zone = (await harbour.keeper.post('/api/zones', { title: 'North quay' })).body
  const [a, b] = [await harbour.pin('Bollard a', off(10, 60)), await harbour.pin('Bollard b', off(12, 64))]
  const { page, complaints } = await harbour.openMap(TABLE)
  await select(page, 'Bollard a', 'Bollard b', 'Mill bridge W')
  await bar(page).getByRole('button', { name: 'Change…' }).click()
  await choose(page, 'Visibility of pins', 'Private')
  await choose(page, 'Zone of pins', 'North quay')
  await dialog(page).getByText('1 of the 3 points stays as it is').waitFor()
  await inAllShapes(page, 'map-bulk', async () => {
    await dialog(page).waitFor()
    await idle(page)
  })
  await dialog(page).getByRole('button', { name: 'Change 2 points' }).click()
  await dialog(page).waitFor({ state: 'detached' })
  const row = panel(page).locator('tbody tr').filter({ hasText: 'Bollard a' })
  await expect
    .poll(() => row.locator('td').allTextContents())
    .toEqual(expect.arrayContaining(['Private', 'North quay']))
  for (const { id } of [a, b]) expect(await pinOf(id)).toMatchObject({ visibility: 'private', zoneId: zone.id })

  await page.getByText('2 points changed').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => row.locator('td').allTextContents()).toEqual(expect.arrayContaining(['Public']))
  for (const { id } of [a, b]) expect(await pinOf(id)).toMatchObject({ visibility: 'public', zoneId: null })
  expect(complaints).toEqual([])
})

test('what was changed or deleted by others, or is not the user’s, is left and said with its cause', async () => {
  const visitor = await opened.person({ name: 'visitor', roles: [] })
  const own = async (title: string, east: number) => {
    const { lat, lon } = off(-90, east)
    const body = { title, contentType: 'TEXT', latitude: lat, longitude: lon }
    return (await visitor.post('/api/location/pins', body)).body as { id: number }
  }
  const [mine, changed, gone] = [await own('Own one', 0), await own('Own two', 5), await own('Own three', 10)]
  const { page } = await opened.open(`/map?${TABLE}`, { token: visitor.token })
  await select(page, 'Own one', 'Own two', 'Own three', 'Bell rope', 'Tide gauge')
  await harbour.keeper.put(`/api/location/pins/${changed.id}`, { title: 'Own two, by ops' })
  await harbour.keeper.delete(`/api/location/pins/${gone.id}`)
  await bar(page).getByRole('button', { name: 'Change…' }).click()
  await choose(page, 'Content of pins', 'Video')
  await dialog(page).getByRole('button', { name: 'Change 5 points' }).click()
  await page.getByText('1 point changed').waitFor()
  const notice = (title: string | RegExp) => page.locator('.mantine-Notification-root').filter({ hasText: title })
  await notice('1 of 5 not changed: changed by someone else').waitFor()
  await notice('1 of 5 not changed: deleted by someone else').waitFor()
  const forbidden = notice(/2 of 5 not changed: only their creator/)
  expect(await forbidden.textContent()).toContain('Bell rope, Tide gauge')
  await inAllShapes(page, 'map-bulk-report', () => idle(page))
  expect(await pinOf(mine.id)).toMatchObject({ contentType: 'VIDEO' })
  expect(await pinOf(changed.id)).toMatchObject({ contentType: 'TEXT', title: 'Own two, by ops' })
  await forbidden.getByRole('button', { name: 'Select these 2' }).click()
  await bar(page).getByText('2 selected').waitFor()
  expect(await panel(page).getByRole('checkbox', { name: 'Select Tide gauge' }).isChecked()).toBe(true)
})

test('neighbours get different free tags, and undo gives removed tags back with their size', async () => {
  const { lat, lon } = off(70, 70)
  const at = (east: number) => ({
    position: { lat, lon: lon + east * 1e-5, h: 1 },
    angles: { yaw: 0, pitch: 0, roll: 0 },
  })
  const gcp = async (title: string, east: number, more: object = {}) => {
    const made = await harbour.keeper.post('/api/gcp', { title, gcpType: 'SINGLE', geoPose: at(east), ...more })
    expect(made.status).toBe(201)
    return made.body.gcp.id as number
  }
  const ids = [await gcp('Bolt 1', 0), await gcp('Bolt 2', 1), await gcp('Bolt 3', 2)]
  const sized = await gcp('Bolt 4', 3, { aprilTagId: 44, tagSize: 0.2 })
  const tagOf = async (id: number) => (await harbour.keeper.get(`/api/gcp/${id}`)).body.aprilTagId
  const { page, complaints } = await harbour.openMap(TABLE)
  await select(page, 'Bolt 1', 'Bolt 2', 'Bolt 3', 'Bolt 4')
  await bar(page).getByRole('button', { name: 'Change…' }).click()
  await choose(page, 'AprilTags of control points', 'Assign a free tag where there is none')
  await dialog(page).getByRole('button', { name: 'Change 3 points' }).click()
  await page.getByText('3 points changed').waitFor()
  const tags = await Promise.all(ids.map(tagOf))
  expect(new Set([...tags, 4, 31, 44]).size).toBe(6)

  await dialog(page).waitFor({ state: 'detached' })
  await expect
    .poll(() => panel(page).locator('tbody tr').filter({ hasText: 'Bolt 3' }).textContent())
    .toContain(`${tags[2]}`)
  await bar(page).getByRole('button', { name: 'Change…' }).click()
  await choose(page, 'AprilTags of control points', 'Remove the tag')
  await dialog(page).getByRole('button', { name: 'Change 4 points' }).click()
  await page.getByText('4 points changed').waitFor()
  expect(await Promise.all([...ids, sized].map(tagOf))).toEqual([null, null, null, null])
  const notice = page.locator('.mantine-Notification-root').filter({ hasText: '4 points changed' })
  await notice.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => tagOf(sized)).toBe(44)
  expect((await harbour.keeper.get(`/api/gcp/${sized}`)).body.tagSize).toBe(0.2)
  await expect.poll(() => Promise.all(ids.map(tagOf))).toEqual(tags)
  expect(complaints).toEqual([])
})

test('deleted points can be restored, stay if the page is left, and are deleted once the undo has passed', async () => {
  const pins = [await harbour.pin('Crate a', off(-20, -60)), await harbour.pin('Crate b', off(-22, -60))]
  const there = () =>
    Promise.all(pins.map(async ({ id }) => (await harbour.keeper.get(`/api/location/pins/${id}`)).status))
  const { page } = await harbour.openMap(TABLE)
  const remove = async () => {
    await select(page, 'Crate a', 'Crate b')
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByRole('button', { name: 'Delete 2 points' }).click()
    await panel(page).getByRole('checkbox', { name: 'Select Crate a' }).waitFor({ state: 'detached' })
  }
  await remove()
  await page.getByRole('button', { name: 'Undo' }).click()
  await panel(page).getByRole('checkbox', { name: 'Select Crate a' }).waitFor()

  await panel(page).getByRole('button', { name: 'Clear selection' }).click()
  await remove()
  await page.reload()
  await panel(page).getByRole('checkbox', { name: 'Select Crate a' }).waitFor()
  expect(await there()).toEqual([200, 200])

  await remove()
  await page.locator('.mantine-Notification-root').getByRole('button', { name: 'Close' }).last().click()
  await expect.poll(there).toEqual([404, 404])
})

test('a point that another writes between the read and the write of a change stays as the other left it, also on undo', async () => {
  const [raced, calm] = [await harbour.pin('Davit a', off(-40, 60)), await harbour.pin('Davit b', off(-42, 60))]
  const others = (id: number, title: string) => harbour.keeper.put(`/api/location/pins/${id}`, { title })
  const { page } = await harbour.openMap(TABLE)
  await select(page, 'Davit a', 'Davit b')
  // The page has read the pin when it sends its change; the other writer is faster.
  await page.route(`**/api/location/pins/${raced.id}`, async (route) => {
    if (route.request().method() === 'PUT') await others(raced.id, 'Davit a, repaired')
    await route.continue()
  })
  await bar(page).getByRole('button', { name: 'Change…' }).click()
  await choose(page, 'Content of pins', 'Video')
  await dialog(page).getByRole('button', { name: 'Change 2 points' }).click()
  await page.getByText('1 of 2 not changed: changed by someone else').waitFor()
  expect(await pinOf(raced.id)).toMatchObject({ title: 'Davit a, repaired', contentType: 'AUDIO' })
  expect(await pinOf(calm.id)).toMatchObject({ contentType: 'VIDEO' })

  await others(calm.id, 'Davit b, repaired')
  await page.getByText('1 point changed').last().waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('1 of 1 not set back: changed by someone else').waitFor()
  expect(await pinOf(calm.id)).toMatchObject({ title: 'Davit b, repaired', contentType: 'VIDEO' })
})

test('a point that another changes before it is deleted stays, with the report of it', async () => {
  const [raced, early, calm] = [
    await harbour.pin('Fender a', off(-44, 60)),
    await harbour.pin('Fender b', off(-46, 60)),
    await harbour.pin('Fender c', off(-48, 60)),
  ]
  const others = ({ id }: { id: number }) => harbour.keeper.put(`/api/location/pins/${id}`, { title: 'Repaired' })
  const { page } = await harbour.openMap(TABLE)
  await select(page, 'Fender a', 'Fender b', 'Fender c')
  // The page has read the pin when it deletes it; the other writer is faster.
  await page.route(`**/api/location/pins/${raced.id}`, async (route) => {
    if (route.request().method() === 'DELETE') await others(raced)
    await route.continue()
  })
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete 3 points' }).click()
  await panel(page).getByRole('checkbox', { name: 'Select Fender a' }).waitFor({ state: 'detached' })
  await others(early)
  await page.locator('.mantine-Notification-root').getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('2 of 3 not deleted: changed by someone else').waitFor()
  const statusOf = async ({ id }: { id: number }) => (await harbour.keeper.get(`/api/location/pins/${id}`)).status
  expect(await Promise.all([raced, early, calm].map(statusOf))).toEqual([200, 200, 404])
})
