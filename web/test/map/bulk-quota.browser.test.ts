import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlOn } from '../../../server/test/sql.ts'
import { type OpenConsole, startConsole } from '../support/console.ts'
import { AROUND, type Harbour, harbourOn, off } from '../support/harbour.ts'

const PINS = 80

let opened: OpenConsole
let harbour: Harbour
beforeAll(async () => {
  // Two requests a pin are more than the quota of a minute.
  opened = await startConsole({ CAIRN_LIMIT_USER_PER_MINUTE: '120' })
  harbour = await harbourOn(opened)
  const at = off(-30, 30)
  await sqlOn(opened.service)(
    `insert into pins (title, content_type, latitude, longitude, user_id)
     select 'Cleat ' || i, 'TEXT', ${at.lat}, ${at.lon} + i * 1e-7, '${harbour.keeper.id}' from generate_series(1, ${PINS}) i`,
  )
  await opened.service.app.pinIndex.caughtUp()
})
afterAll(() => opened.stop())

const panel = (page: Page) => page.getByRole('region', { name: 'Points', exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

test('a change of more points than the quota of requests allows, and its undo, wait and lose none', {
  timeout: 500_000,
}, async () => {
  const counted = async () => {
    const rows = await sqlOn(opened.service)<{ visibility: string; n: string }>(
      "select visibility, count(*) as n from pins where title like 'Cleat %' group by 1 order by 1",
    )
    return rows.map(({ visibility, n }) => `${n} ${visibility}`)
  }
  const { page } = await harbour.openMap(`${AROUND}&table=true&find=Cleat`)
  await panel(page).getByText(`${PINS} of`).waitFor()
  await panel(page).getByRole('checkbox', { name: 'Select this page' }).click()
  await panel(page)
    .getByRole('button', { name: `Select all ${PINS}` })
    .click()
  await panel(page).getByRole('button', { name: 'Change…' }).click()
  await dialog(page).getByRole('combobox', { name: 'Visibility of pins' }).click()
  await page.getByRole('option', { name: 'Unlisted', exact: true }).click()
  await dialog(page)
    .getByRole('button', { name: `Change ${PINS} points` })
    .click()
  await page.getByText(/Too many requests in a minute. Continuing in \d+ s/).waitFor()
  await page.getByText('Changing points').waitFor({ state: 'detached', timeout: 200_000 })
  expect(await counted()).toEqual([`${PINS} unlisted`])

  await page.getByText(`${PINS} points changed`).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(counted, { timeout: 200_000, interval: 1000 }).toEqual([`${PINS} public`])
  await page.getByText('Setting points back').waitFor({ state: 'detached' })
  expect(await page.getByText('not set back').count()).toBe(0)
})
