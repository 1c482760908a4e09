import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'
import { focusComesTo, tabTo } from '../support/tab-stops.ts'

const PHONE = { width: 375, height: 667 }
const DESK = { width: 1280, height: 800 }

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

const button = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .filter({ visible: true })
    .first()
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

async function press(page: Page, name: string | RegExp, key = 'Enter') {
  await tabTo(page, button(page, name))
  await page.keyboard.press(key)
}
async function write(page: Page, name: string, text: string) {
  await tabTo(page, page.getByRole('textbox', { name }))
  await page.keyboard.type(text)
}
/** A page or a step starts at its top. */
const begins = async (page: Page, title: string) => {
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
  await focusComesTo(page.getByRole('main'))
}

// On a phone, where the ways on stick to the bottom and cover what is under them.
test('the first run is gone through by keyboard alone: app, key, call, sample data, place', async () => {
  const ada = await opened.person({ name: 'ada', roles: [] })
  const { page, complaints } = await opened.open('/welcome/app', {
    token: ada.token,
    viewport: PHONE,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.getByRole('heading', { name: 'Create an app' }).waitFor()
  await press(page, 'Create app')
  await focusComesTo(page.getByRole('textbox', { name: 'Name' }))
  await page.keyboard.type('Harbour Hunt')
  await write(page, 'Description', 'Find the twelve lanterns')
  await press(page, 'Create app')

  await begins(page, 'Make the first call')
  await press(page, 'Show App API key', 'Space')
  await page.getByText(/^cairn_\w{8}_\w{38}$/).waitFor()
  await press(page, 'Copy App API key')
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^cairn_/)
  await tabTo(page, page.getByRole('radio', { name: 'curl' }))
  await page.keyboard.press('ArrowRight')
  await page.getByText('cairn.players.create').waitFor()
  await press(page, 'Send from this page')
  await page.getByText('The first call has arrived.').filter({ visible: true }).waitFor()
  await press(page, 'Continue')

  await begins(page, 'Add data')
  await press(page, 'Create sample data')
  await page.getByText('Sample data created.').waitFor()
  await focusComesTo(button(page, 'Continue'))
  await page.keyboard.press('Enter')

  await begins(page, 'Create a pin')
  await press(page, 'Create pin')
  await focusComesTo(page.getByRole('textbox', { name: 'Title' }))
  await page.keyboard.type('Harbour steps')
  await write(page, 'Latitude', '51.4801')
  await write(page, 'Longitude', '-0.0021')
  await tabTo(page, page.getByRole('radio', { name: 'Private' }))
  await page.keyboard.press('ArrowUp')
  await press(page, 'Create pin')

  await begins(page, 'Setup complete')
  await tabTo(page, page.getByRole('link', { name: /Map/ }))
  await press(page, 'Open Harbour Hunt')
  await page.waitForURL(/\/console\/apps\/[\w-]+$/)
  const near = await opened.service.anonymous.get('/api/location/pins?lat=51.4801&lon=-0.0021&radius=50')
  expect(near.body.pins.map(({ title }: { title: string }) => title)).toContain('Harbour steps')
  expect(complaints).toEqual([])
})

const ROWS = Array.from({ length: 12 }, (_, i) => `P${i},${54.3 + i / 1000},${10.1 + i / 1000},grey`)
const SURVEY = `title,lat,lon,colour\n${ROWS.join('\n')}\nA,91,10.1,\nB,54.3,n/a,\n`

test.each([
  ['a phone', PHONE],
  ['a desk', DESK],
])(
  'on %s a survey file is imported by keyboard alone: zone, file, columns, check, rows, apply, report',
  async (_, viewport) => {
    const keeper = await opened.person({ name: `keeper-${viewport.width}`, roles: [] })
    const { page, complaints } = await opened.open('/import', { token: keeper.token, viewport })
    await tabTo(page, link(page, 'Skip to content'))
    await page.keyboard.press('Enter')
    await press(page, 'New zone')
    await focusComesTo(page.getByRole('textbox', { name: 'Name of the new zone' }))
    await press(page, 'Cancel')
    await focusComesTo(button(page, 'New zone'))
    await page.keyboard.press('Enter')
    await page.keyboard.type('Greenwich Park')
    const chooser = page.waitForEvent('filechooser')
    await page.keyboard.press('Enter')
    await focusComesTo(button(page, 'Choose file'))
    await page.keyboard.press('Enter')
    await (await chooser).setFiles({ name: 'marks.csv', mimeType: 'text/csv', buffer: Buffer.from(SURVEY) })

    await begins(page, 'marks.csv')
    await tabTo(page, page.getByRole('combobox', { name: 'Field of colour' }))
    await page.keyboard.type('descr')
    await press(page, 'Check again')
    await page.getByText('set here').waitFor()
    await focusComesTo(page.getByRole('main'))
    await tabTo(page, link(page, 'Continue to the check'))
    await page.keyboard.press('Enter')

    await focusComesTo(page.locator('#import-step'))
    await page.getByText('Latitude 91 is outside').waitFor()
    await tabTo(page, page.getByRole('radio', { name: 'Errors 2' }))
    await press(page, 'Latitude out of range 1', 'Space')
    await page.getByText('n/a', { exact: true }).waitFor({ state: 'detached' })
    await tabTo(page, page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Apply' }), {
      back: true,
    })
    await page.keyboard.press('Enter')
    await page.getByText('become control points').waitFor()
    await tabTo(page, page.getByRole('radio', { name: 'Skip it' }))
    await press(page, 'Apply 12 rows')

    await focusComesTo(page.getByRole('main'))
    await page.getByText('12 rows applied.').waitFor()
    const report = page.waitForEvent('download')
    await tabTo(page, page.getByRole('link', { name: '2 findings as CSV' }).filter({ visible: true }))
    await page.keyboard.press('Enter')
    expect((await report).suggestedFilename()).toBe('marks.csv.report.csv')
    await tabTo(page, link(page, 'Show on the map'))
    expect(complaints).toEqual([])
  },
)
