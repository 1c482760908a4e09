import { afterAll, beforeAll, expect, test } from 'vitest'
import { inAllShapes, type OpenConsole, startConsole } from '../../support/console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

test('the page of a player tells what happened, with a chart of the scores in each game', async () => {
  const keeper = await opened.person()
  const app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const member = opened.service.as({ authorization: `Bearer ${keeper.token}`, 'x-app-id': app.id })
  const player = await opened.given.player(app, 'mallory')
  const { id: dash } = (await app.post('/api/v1/apps/mini-game-types', { name: 'Dash', rules: { maxIncrease: 500 } }))
    .body
  for (const [name, miniGameTypeId, scores] of [
    ['Saturday tide', undefined, [100, 120, 140]],
    ['Dash race', dash, [10, 20, 99_999]],
  ] as const) {
    const { id } = (await app.post('/api/v1/apps/game-sessions', { name, miniGameTypeId })).body
    const at = `/api/v1/apps/game-sessions/${id}/players`
    await app.post(at, { playerId: player.id })
    for (const score of scores) await app.patch(`${at}/${player.id}`, { score })
    if (!miniGameTypeId) await member.post(`${at}/${player.id}/correction`, { score: 90 })
  }
  const { page, complaints } = await opened.open(`/apps/${app.id}/players/${player.id}`, { token: keeper.token })
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await inAllShapes(page, 'timeline', async () => {
    await timeline.getByText('The player was created').waitFor()
    await page.getByRole('img', { name: '4 scores, from 100 to 90' }).waitFor()
    await page.getByRole('img', { name: '2 scores, from 10 to 20' }).waitFor()
  })
  expect(await timeline.locator('li > div').allTextContents()).toEqual([
    'A score of 99,999 was held in Dash raceDashMuch better than the best score so far',
    'Scored 20 in Dash raceDash',
    'Scored 10 in Dash raceDashreplaced',
    'Joined Dash raceDash',
    'Scored 90 in Saturday tideDefault game',
    'Score corrected by keeperScore: 140 → 90',
    'Scored 140 in Saturday tideDefault gamereplaced',
    'Scored 120 in Saturday tideDefault gamereplaced',
    'Scored 100 in Saturday tideDefault gamereplaced',
    'Joined Saturday tideDefault game',
    'The player was created',
  ])
  await timeline.getByRole('link', { name: 'Dash race' }).first().click()
  await page.waitForURL(/\/sessions\//)
  expect(complaints).toEqual([])

  const german = await opened.open(`/apps/${app.id}/players/${player.id}`, { token: keeper.token, locale: 'de-DE' })
  const verlauf = german.page.getByRole('list', { name: 'Verlauf' })
  // Another order of words than in English.
  for (const text of [
    'In Dash race wurde das Ergebnis 99.999 zurückgehalten',
    'Hat in Dash race das Ergebnis 20 erzielt',
    'Ist Saturday tide beigetreten',
  ])
    await verlauf.getByText(text).first().waitFor()
})
