import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { warmShare } from '../../../server/test/content/pictures.ts'
import { fixAt } from '../../../server/test/fences/fence-world.ts'
import type { Answer } from '../../../server/test/service.ts'
import { sqlOn } from '../../../server/test/sql.ts'
import { expectAccessible, inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'
import { AROUND, type Harbour, harbourOn, idle, off } from '../support/harbour.ts'

let opened: OpenConsole
let harbour: Harbour
let hunt: { id: string }
beforeAll(async () => {
  opened = await startConsole()
  harbour = await harbourOn(opened)
  hunt = await huntAt(harbour.bellRope.id)
})
afterAll(() => opened.stop())

const made = ({ status, body }: Answer) => {
  expect(status).toBeLessThan(300)
  return body
}

/** An app of the keeper with four check-ins at a pin, one in a zone, and a fence that nobody visits. */
async function huntAt(pinId: number) {
  const { keeper, pin } = harbour
  await opened.given.app({ owner: keeper, name: 'Quiet walk' })
  const app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const key = made(await keeper.post(`/api/v1/apps/${app.id}/api-keys`, { kind: 'client', name: 'Game' })).apiKey
  const rule = { checkIn: { award: { points: 1 } } }
  const fence = async (body: object) => made(await app.post('/api/v1/apps/fences', { ...body, ...rule })).id as string
  const zones = made(await keeper.get('/api/zones')).zones as { id: number }[]
  const rope = await fence({ name: 'Bell rope', pinId, radius: 20 })
  const harbourZone = await fence({ name: 'Whole harbour', zoneId: zones[0]!.id })
  await fence({ name: 'Never visited', pinId: (await pin('Lonely', off(-100, -100))).id, radius: 5 })
  // The same fix of several players would be held.
  const visits = [
    ...[1, 2, 3, 4].map((n) => ({ fenceId: rope, at: off(40 + n, 38 - n) })),
    { fenceId: harbourZone, at: off(0, 0) },
  ]
  for (const [i, { fenceId, at }] of visits.entries()) {
    const player = await opened.given.player(app, `walker ${i}`)
    const { playerToken } = made(await app.post('/auth/player-token', { playerId: player.id }))
    const caller = opened.service.as({ 'x-app-api-key': key, authorization: `Bearer ${playerToken}` })
    const answer = made(await caller.post('/api/v1/apps/check-ins', { fenceId, fix: fixAt(at) }))
    expect(answer.state).toBe('accepted')
  }
  return { id: app.id }
}

const panel = (page: Page) => page.getByRole('region', { name: 'Visits' })

/** How much of the map is warm: redder than it is blue. */
async function warmth(page: Page): Promise<number> {
  const picture = await page.locator('[data-map] canvas').first().screenshot()
  return await warmShare(picture)
}

test('the visits of an app are a heat on the map and a list, most visited first, which opens their pins and zones', async () => {
  const { page, complaints } = await harbour.openMap(`${AROUND}&visits=${hunt.id}`)
  await panel(page).getByText('5 check-ins in 366 days').waitFor()
  expect(await panel(page).getByRole('listitem').allTextContents()).toEqual([
    'Bell rope4 players4 visits',
    'Whole harbour1 player1 visit',
  ])
  await idle(page)
  await inAllShapes(page, 'map-visits', async () => {
    await panel(page).getByRole('listitem').first().waitFor()
    await idle(page)
  })
  await panel(page)
    .getByRole('button', { name: /^Whole harbour/ })
    .click()
  await page.getByRole('region', { name: 'Selection' }).getByRole('heading', { name: 'Old Harbour' }).waitFor()
  expect(complaints).toEqual([])
})

test('the layer turns the heat on and off, and another app has its own', async () => {
  const { page, complaints } = await harbour.openMap(AROUND)
  await idle(page)
  const before = await warmth(page)
  await page.locator('[data-layer="visits"]').click()
  await panel(page).waitFor()
  await panel(page).getByRole('combobox', { name: 'App' }).click()
  await page.getByRole('option', { name: 'Harbour Hunt' }).click()
  await page.waitForURL(new RegExp(`visits=${hunt.id}`))
  await panel(page).getByText('4 visits').waitFor()
  await idle(page)
  await expect.poll(() => warmth(page)).toBeGreaterThan(before + 0.01)

  await panel(page).getByRole('combobox', { name: 'App' }).click()
  await page.getByRole('option', { name: 'Quiet walk' }).click()
  await panel(page).getByText('No accepted check-ins in this app').waitFor()
  await expectAccessible(page)
  await page.locator('[data-layer="visits"]').click()
  await panel(page).waitFor({ state: 'detached' })
  await idle(page)
  await expect.poll(() => warmth(page)).toBeLessThan(before + 0.001)
  expect(complaints).toEqual([])
})

test('visits are listed also if the zones fail to load, and more than a list of check-ins holds are counted', async () => {
  const sql = sqlOn(opened.service)
  await sql(`
    insert into check_ins (app_id, id, fence_id, player_id, state, fix_at, created_at)
    select c.app_id, gen_random_uuid(), c.fence_id, c.player_id, 'accepted', t, t
      from (select * from check_ins where app_id = '${hunt.id}' order by created_at limit 1) c,
           lateral (select now() - make_interval(mins => i) as t from generate_series(1, 12345) i) x`)
  const { page } = await opened.open(`/files`, { token: harbour.keeper.token })
  await page.route('**/api/zones*', (route) => route.fulfill({ status: 500, json: { error: 'Out of order' } }))
  await page.goto(`${opened.service.url}/console/map?${AROUND}&visits=${hunt.id}`)
  await panel(page).getByText('12,350 check-ins in 366 days').waitFor()
  expect(await panel(page).getByRole('listitem').allTextContents()).toEqual([
    'Bell rope4 players12,349 visits',
    'Whole harbournot on the map1 player1 visit',
  ])
  await sql(`delete from check_ins where app_id = '${hunt.id}' and created_at < now() - interval '30 seconds'`)
})
