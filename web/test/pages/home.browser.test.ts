import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sql, sqlOn } from '../../../server/test/sql.ts'
import { expectAccessible, inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

let opened: OpenConsole
let sql: Sql
beforeAll(async () => {
  opened = await startConsole()
  sql = sqlOn(opened.service)
})
afterAll(() => opened.stop())

/** An app of a new person, in which players got scores, one was held, and a webhook fails. */
async function busyApp() {
  const keeper = await opened.person()
  const app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const type = { name: 'Bell Tower Sprint', rules: { maxIncrease: 500 } }
  const { id: miniGameTypeId } = (await app.post('/api/v1/apps/mini-game-types', type)).body
  const { id: sprint } = (await app.post('/api/v1/apps/game-sessions', { name: 'Sprint', miniGameTypeId })).body
  const { id: hunt } = (await app.post('/api/v1/apps/game-sessions', { name: 'Hunt' })).body
  for (const name of ['anna', 'ben', 'mallory']) {
    const { id: playerId } = await opened.given.player(app, name)
    for (const [session, scores] of [
      [sprint, name === 'mallory' ? [10, 99_999] : [10, 20, 30]],
      [hunt, [100]],
    ] as const) {
      await app.post(`/api/v1/apps/game-sessions/${session}/players`, { playerId })
      for (const score of scores)
        await app.patch(`/api/v1/apps/game-sessions/${session}/players/${playerId}`, { score })
    }
  }
  const hook = { url: 'https://hooks.example.org/cairn', eventTypes: ['season.ended'] }
  await keeper.post(`/api/v1/apps/${app.id}/webhooks`, hook)
  await sql('update webhook_endpoints set failing_since = now() where app_id = $1', [app.id])
  // Two players at each time of the day a week ago, and more on the days between.
  await sql(
    `insert into active_days (app_id, day, players)
     select $1, current_date - n, array_fill(case when n = 7 then 2 else 3 + n % 5 end, array[24]) from generate_series(1, 12) n`,
    [app.id],
  )
  return { keeper, app }
}

test('the home of an app shows who plays, compared with last week, where scores are written, and what needs attention', async () => {
  const { keeper, app } = await busyApp()
  const { page, complaints } = await opened.open(`/apps/${app.id}`, { token: keeper.token })
  const today = page.getByRole('region', { name: 'Today', exact: true })
  await inAllShapes(page, 'home', async () => {
    await today.getByText(/^50% more than last \w+ by \d+:00 UTC$/).waitFor()
    await today.getByRole('slider', { name: /Players by day/ }).waitFor()
  })
  const attention = today.getByRole('list', { name: 'Needs attention' })
  await attention.getByText('1 webhook is failing').waitFor()
  const board = (name: string) => today.getByRole('row', { name: new RegExp(`^${name}`) })
  expect(await board('Bell Tower Sprint').getByRole('cell').last().textContent()).toBe('7')
  expect(await board('Default game').getByRole('cell').last().textContent()).toBe('3')
  await attention.getByRole('link', { name: '1 score waits for a review' }).click()
  await page.waitForURL(/\/reviews$/)
  expect(complaints).toEqual([])
})

test('the arrow keys read the bars of a chart one by one', async () => {
  const { keeper, app } = await busyApp()
  const { page } = await opened.open(`/apps/${app.id}`, { token: keeper.token })
  const chart = page.getByRole('slider', { name: /Players by day/ })
  await chart.focus()
  const read = async (key?: string) => {
    if (key) await page.keyboard.press(key)
    return chart.getAttribute('aria-valuetext')
  }
  expect(await read()).toMatch(/, Players 3$/)
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowLeft')
  expect(await read('ArrowLeft')).toMatch(/, Players 2$/)
  expect(await chart.getAttribute('aria-valuenow')).toBe('7')
  await read('Home')
  expect(await chart.getAttribute('aria-valuenow')).toBe('1')
  await expectAccessible(page)
})

test('the home of an app that nobody has played says so, and leads to the first call', async () => {
  const keeper = await opened.person()
  const app = await opened.given.app({ owner: keeper, name: 'Quiet' })
  const { page } = await opened.open(`/apps/${app.id}`, { token: keeper.token })
  await page.getByText('Nobody has played yet').waitFor()
  await page.getByText('Nothing needs attention').waitFor()
  await page.getByRole('button', { name: 'Make the first call' }).click()
  await page.waitForURL(new RegExp(`/welcome/call\\?app=${app.id}`))
})
