import { afterAll, beforeAll, expect, test } from 'vitest'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { AROUND, type Harbour, harbourOn, idle, off, rows } from '../support/harbour.ts'

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
})
afterAll(() => opened.stop())

test('a pin is moved by arrow keys and by dragging, the service has the new place, and undo brings it back', async () => {
  const { id } = await harbour.pin('Tide mark', off(-30, 20))
  const placeNow = async () => {
    const { latitude, longitude } = (await harbour.keeper.get(`/api/location/pins/${id}`)).body
    return [latitude, longitude]
  }
  const before = await placeNow()
  const { page, complaints } = await harbour.openMap(`${AROUND}&select=pin:${id}`)
  const handle = page.getByRole('button', { name: 'Move Tide mark' })
  await idle(page)
  const boxBefore = await handle.boundingBox()
  await handle.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByText(/Tide mark moved by/).waitFor()
  const [latitude, longitude] = await placeNow()
  expect(latitude).toBeGreaterThan(before[0])
  expect(longitude).toBeGreaterThan(before[1])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(placeNow).toEqual(before)
  // The page has heard of it too.
  await expect.poll(() => handle.boundingBox()).toEqual(boxBefore)

  await idle(page)
  const at = (await handle.boundingBox())!
  const [x, y] = [at.x + at.width / 2, at.y + at.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 40, y + 30, { steps: 5 })
  await page.mouse.up()
  await page.getByText(/Tide mark moved by/).waitFor()
  await expect.poll(async () => (await placeNow())[1]).toBeLessThan(before[1])
  expect(complaints).toEqual([])
})

test('a pin that may not be moved returns to its place, after a drag or keys', async () => {
  const visitor = await opened.person({ name: 'passer-by', roles: [] })
  const { page } = await opened.open(`/map?${AROUND}&select=pin:${harbour.bellRope.id}`, { token: visitor.token })
  const handle = page.getByRole('button', { name: 'Move Bell rope' })
  const refusal = page.getByText('Bell rope was not moved')
  await handle.waitFor()
  await idle(page)
  const before = (await handle.boundingBox())!
  await handle.focus()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Enter')
  await refusal.waitFor()
  await expect.poll(() => handle.boundingBox()).toEqual(before)

  const [x, y] = [before.x + before.width / 2, before.y + before.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 40, y + 30, { steps: 5 })
  expect(await handle.boundingBox()).not.toEqual(before)
  await page.mouse.up()
  await refusal.nth(1).waitFor()
  await expect.poll(() => handle.boundingBox()).toEqual(before)
})

test('a pin that was deleted is gone when the page is left before its undo has passed', async () => {
  const { id } = await harbour.pin('Loose plank', off(-20, 60))
  const { page, complaints } = await harbour.openMap(`${AROUND}&select=pin:${id}`)
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText(/Loose plank deleted/).waitFor()
  await page.reload()
  await expect.poll(async () => (await harbour.keeper.get(`/api/location/pins/${id}`)).status).toBe(404)
  expect(complaints).toEqual([])
})

test('a form without a valid place is not saved, and closing it returns to the page before', async () => {
  const { id } = await harbour.pin('Mooring post', off(-45, 10))
  const { page, complaints } = await harbour.openMap(`${AROUND}&select=pin:${id}`)
  const edit = page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Edit' })
  await edit.click()
  const form = page.getByRole('form', { name: 'Edit pin' })
  const place = form.getByLabel('Location: latitude, longitude')
  const save = form.getByRole('button', { name: 'Save' })
  await form.getByLabel('Title').fill('Mooring post, new')
  for (const wrong of ['54.3241, east', '']) {
    await place.fill(wrong)
    await save.focus()
    await page.keyboard.press('Enter')
    await form.getByText(/^Enter latitude and longitude/).waitFor()
    await expect.poll(() => place.evaluate((field) => field.ownerDocument.activeElement === field)).toBe(true)
  }
  expect((await harbour.keeper.get(`/api/location/pins/${id}`)).body.title).toBe('Mooring post')
  await place.fill('54.3236, 10.1396')
  await save.click()
  await edit.waitFor()
  await expect.poll(() => edit.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true)
  expect((await harbour.keeper.get(`/api/location/pins/${id}`)).body).toMatchObject({
    title: 'Mooring post, new',
    latitude: 54.3236,
  })

  const make = page.getByRole('button', { name: 'Add pin' })
  await make.click()
  await page.getByRole('form', { name: 'New pin' }).getByRole('button', { name: 'Cancel' }).last().click()
  await expect.poll(() => make.evaluate((button) => button.ownerDocument.activeElement === button)).toBe(true)
  expect(complaints).toEqual([])
})

test('a pin is made at a written place with a direction, changed, and deleted once its undo has passed', async () => {
  const { page, complaints } = await harbour.openMap(AROUND)
  await page.getByRole('button', { name: 'Add pin' }).click()
  const form = page.getByRole('form', { name: 'New pin' })
  await form.getByRole('button', { name: 'Add pin' }).click()
  await expect.poll(() => form.getByLabel('Title').getAttribute('aria-invalid')).toBe('true')
  await inAllShapes(page, 'map-pin-form', async () => {
    await form.waitFor()
    await idle(page)
  })
  await form.getByLabel('Title').fill('Signal mast')
  await form.getByLabel('Location: latitude, longitude').fill('54.3241, 10.1401')
  await form.getByLabel('Yaw').fill('90')
  await form.getByRole('button', { name: 'Add pin' }).click()
  await page.waitForURL(/select=pin%3A\d+/)
  const id = /pin%3A(\d+)/.exec(page.url())![1]
  const { body } = await harbour.keeper.get(`/api/location/pins/${id}`)
  expect(body).toMatchObject({
    title: 'Signal mast',
    geoPose: { position: { lat: 54.3241, lon: 10.1401 }, angles: { yaw: 90, pitch: 0, roll: 0 } },
  })

  const chosen = page.getByRole('region', { name: 'Selection' })
  await chosen.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('Signal mast, painted')
  await page.getByRole('button', { name: 'Save' }).click()
  await chosen.getByRole('heading', { name: 'Signal mast, painted' }).waitFor()

  await chosen.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await rows(page).filter({ hasText: 'Signal mast, painted' }).click()
  await chosen.getByRole('button', { name: 'Delete' }).click()
  await rows(page).filter({ hasText: 'Signal mast' }).waitFor({ state: 'detached' })
  expect((await harbour.keeper.get(`/api/location/pins/${id}`)).status).toBe(200)
  await page.locator('.mantine-Notification-root').getByRole('button', { name: 'Close' }).last().click()
  await expect.poll(async () => (await harbour.keeper.get(`/api/location/pins/${id}`)).status).toBe(404)
  expect(complaints).toEqual([])
})

test('who may not change a pin reads why in the form, and the pin stays', async () => {
  const visitor = await opened.person({ name: 'visitor', roles: [] })
  const { page } = await opened.open(`/map?${AROUND}&select=pin:${harbour.bellRope.id}`, { token: visitor.token })
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('Title').fill('Mine')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('form').getByRole('alert').waitFor()
  expect((await harbour.keeper.get(`/api/location/pins/${harbour.bellRope.id}`)).body.title).toBe('Bell rope')
})
