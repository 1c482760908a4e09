import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../../server/test/service.ts'
import { sqlOn } from '../../../../server/test/sql.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../../support/console.ts'

const NAMES = ['brasscompass', 'nightjar22', 'kite.runner', 'low_tide', 'tinfoil_fox', 'pebbleskip', 'two_left_boots']
const SCORES = [9840, 9615, 9615, 9310, 9120, 8975, 8860]

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
let app: Caller & { id: string; key: string }
const players: { id: string; displayName: string }[] = []
let sessionId: string
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
  app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  for (const name of NAMES) players.push(await opened.given.player(app, name))
  sessionId = (await app.post('/api/v1/apps/game-sessions', { name: 'Saturday tide' })).body.id
  for (const [i, { id }] of players.entries()) {
    await app.post(`/api/v1/apps/game-sessions/${sessionId}/players`, { playerId: id })
    await score(id, SCORES[i]!)
  }
})
afterAll(() => opened.stop())

const score = async (playerId: string, points: number, session = sessionId) => {
  const { status } = await app.patch(`/api/v1/apps/game-sessions/${session}/players/${playerId}`, { score: points })
  expect(status).toBe(200)
}
const openAt = (path: string) => opened.open(`/apps/${app.id}${path}`, { token: keeper.token })

test('a board shows ranks with ties, moves as scores are written, and stands still while it is held', async () => {
  const { page, complaints } = await openAt('/boards/default')
  const rows = page.locator('tr[data-player]')
  const ranks = () => rows.locator('td:first-child').allTextContents()
  await expect.poll(ranks).toEqual(['1', '=2', '=2', '4', '5', '6', '7'])
  await inAllShapes(page, 'board', () => rows.first().waitFor())
  await page.setViewportSize({ width: 1600, height: 1000 })

  await score(players[6]!.id, 9500)
  await expect.poll(() => rows.nth(3).textContent()).toContain('two_left_boots')

  await page.getByRole('button', { name: 'Pause' }).click()
  await score(players[5]!.id, 9990)
  await page.getByText(/^Paused · \d+ updates?$/).waitFor()
  expect(await rows.first().textContent()).toContain('brasscompass')
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => rows.first().textContent()).toContain('pebbleskip')

  await page.getByRole('button', { name: 'two_left_boots' }).click()
  await page.getByText('Nearby ranks').waitFor()
  expect(page.url()).toContain(`around=${players[6]!.id}`)
  await inAllShapes(page, 'board-around', () => page.getByText('Nearby ranks').waitFor())
  const viewed = "select from audit_log where action = 'app_key.viewed' and subject = $1"
  expect(await sqlOn(opened.service)(viewed, [app.id]), 'looking at a board views no key').toEqual([])
  expect(complaints).toEqual([])
})

test('beside a player, a board and its buttons are whole also on a screen of 1,200 pixels', async () => {
  const { page, complaints } = await openAt(`/boards/default?around=${players[0]!.id}`)
  const panel = page.getByRole('region', { name: 'Ranks' })
  await page.getByText('Nearby ranks').waitFor()
  for (const width of [1200, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    const box = (await panel.boundingBox())!
    for (const part of [
      panel.getByRole('button', { name: 'Pause' }),
      panel.getByRole('columnheader', { name: 'Updated' }),
      panel.getByText('Live', { exact: true }),
    ]) {
      const { x, width: wide } = (await part.boundingBox())!
      expect(x).toBeGreaterThanOrEqual(box.x)
      expect(x + wide, `${width} pixels`).toBeLessThanOrEqual(box.x + box.width)
    }
  }
  expect(complaints).toEqual([])
})

test('a row of a board leads to the session of its score, and a list of players says how many sessions each joined', async () => {
  const { page, complaints } = await openAt('/players')
  await page.getByRole('columnheader', { name: 'Sessions' }).waitFor()
  await page.getByRole('row', { name: /tinfoil_fox .* 9,120 1 / }).waitFor()
  await page.goto(`${opened.service.url}/console/apps/${app.id}/boards/default`)
  await page
    .locator('tr[data-player]')
    .filter({ hasText: 'tinfoil_fox' })
    .getByRole('link', { name: 'Saturday tide' })
    .click()
  await page.waitForURL(new RegExp(`sessions/${sessionId}`))
  expect(complaints).toEqual([])
})

test('a click anywhere in a row of a board opens its player beside it', async () => {
  const { page } = await openAt('/boards/default')
  await page.locator('tr[data-player]').filter({ hasText: 'low_tide' }).locator('td').first().click()
  await page.waitForURL(new RegExp(`around=${players[3]!.id}`))
})

test('the board of one session is at an address of its own, reached from the session, with the ranks of that session', async () => {
  const { body: round } = await app.post('/api/v1/apps/game-sessions', { name: 'Spring tide' })
  for (const [i, points] of [120, 340].entries()) {
    await app.post(`/api/v1/apps/game-sessions/${round.id}/players`, { playerId: players[i]!.id })
    await score(players[i]!.id, points, round.id)
  }
  const { page, complaints } = await openAt(`/sessions/${round.id}`)
  await page.getByRole('link', { name: 'Leaderboard of this session' }).click()
  await page.waitForURL(new RegExp(`boards/default\\?session=${round.id}`))
  const rows = page.locator('tr[data-player]')
  await expect.poll(() => rows.locator('td:first-child').allTextContents()).toEqual(['1', '2'])
  expect(await rows.first().textContent()).toMatch(/nightjar22.*340/)
  await inAllShapes(page, 'board-session', () => rows.first().waitFor())
  await page.getByRole('link', { name: 'All sessions' }).click()
  await expect.poll(() => rows.count()).toBe(NAMES.length)

  // Under another game it is still of its own.
  await page.goto(`${opened.service.url}/console/apps/${app.id}/boards/another?session=${round.id}`)
  await page.waitForURL(new RegExp(`boards/default\\?session=${round.id}`))
  await expect.poll(() => rows.count()).toBe(2)
  expect(complaints).toEqual([])
})

test('players are found by a part of their name and created, and a taken name is reported under the field', async () => {
  const { page, complaints } = await openAt('/players')
  await inAllShapes(page, 'players', () => page.getByRole('link', { name: 'low_tide' }).waitFor())
  await page.setViewportSize({ width: 1600, height: 1000 })
  await page.getByLabel('Search by name').fill('tide')
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  expect(page.url()).toContain('q=tide')

  await page.getByRole('button', { name: 'New player' }).click()
  await page.getByLabel('Display name').fill('LOW_TIDE')
  await page.getByRole('button', { name: 'Create player' }).click()
  await page
    .getByRole('dialog')
    .getByText(/taken|already|exists/i)
    .waitFor()
  await page.getByLabel('Display name').fill('halfpint')
  await page.getByRole('button', { name: 'Create player' }).click()
  await page.getByRole('heading', { name: 'halfpint' }).waitFor()
  expect((await app.get('/api/v1/apps/players?search=halfpint')).body.players).toHaveLength(1)
  expect(complaints).toEqual([])
})

test('a search waits for a pause in typing, and the list stays until the response arrives', async () => {
  const { page, complaints } = await openAt('/players')
  await page.getByRole('link', { name: 'low_tide' }).waitFor()
  const asked: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/v1/apps/players') asked.push(searchParams.get('search'))
  })
  // From here on no time passes but what the test lets pass.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByLabel('Search by name').pressSequentially('tide')
  await page.waitForURL(/q=tide/)
  expect(asked).toEqual([])
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(1)
  await page.clock.resume()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  expect(asked).toEqual(['tide'])
  expect(complaints).toEqual([])
})

test('a player shows its rank on each board and its scores as a line and as a table', async () => {
  const later = (await app.post('/api/v1/apps/game-sessions', { name: 'Morning loop' })).body.id
  await app.post(`/api/v1/apps/game-sessions/${later}/players`, { playerId: players[3]!.id })
  await score(players[3]!.id, 9400, later)
  const miniGameTypeId = (await app.post('/api/v1/apps/mini-game-types', { name: 'Ebb' })).body.id
  const ebb = (await app.post('/api/v1/apps/game-sessions', { name: 'Low water', miniGameTypeId })).body.id
  await app.post(`/api/v1/apps/game-sessions/${ebb}/players`, { playerId: players[3]!.id })
  await score(players[3]!.id, 12, ebb)
  const { page, complaints } = await openAt(`/players/${players[3]!.id}`)
  const scores = page.getByRole('region', { name: 'Scores', exact: true })
  await scores.getByRole('link', { name: 'Low water' }).waitFor()
  await page.getByRole('combobox', { name: 'Game' }).click()
  await page.getByRole('option', { name: 'Default game' }).click()
  await scores.getByRole('link', { name: 'Morning loop' }).waitFor()
  await page
    .getByRole('img', { name: /^\d+ scores, from .* to / })
    .first()
    .waitFor()
  expect(await scores.getByRole('link', { name: 'Low water' }).count(), 'of the default game alone').toBe(0)
  await inAllShapes(page, 'player', () => scores.getByRole('link', { name: 'Morning loop' }).waitFor())
  await app.delete(`/api/v1/apps/mini-game-types/${miniGameTypeId}`)
  expect(complaints).toEqual([])
})

test('a session takes players and scores, pauses, ends, and what is written is at the service', async () => {
  const { body } = await app.post('/api/v1/apps/game-sessions', { name: 'Friday tide' })
  const { page, complaints } = await openAt(`/sessions/${body.id}`)
  await page.getByText('No players have joined yet.').waitFor()
  await page.getByRole('combobox', { name: 'Add player' }).fill('nightjar')
  await page.getByRole('option', { name: 'nightjar22' }).click()
  await expect.poll(() => page.getByRole('combobox', { name: 'Add player' }).inputValue()).toBe('')
  await page.getByLabel('Score of nightjar22').fill('120')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await app.get(`/api/v1/apps/game-sessions/${body.id}/players`)).body.players[0]?.score)
    .toBe(120)
  await inAllShapes(page, 'session', () => page.getByLabel('Score of nightjar22').waitFor())
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused').waitFor()
  await page.getByRole('button', { name: 'End', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'End Friday tide?' })
  await question.getByText('Ending is final').waitFor()
  expect((await app.get(`/api/v1/apps/game-sessions/${body.id}`)).body.status, 'nothing before the answer').toBe(
    'ACTIVE',
  )
  await question.getByRole('button', { name: 'End session' }).click()
  await page.getByText('Ended', { exact: true }).first().waitFor()
  expect(await page.getByRole('button', { name: 'Resume' }).count(), 'the end is final').toBe(0)
  expect((await app.get(`/api/v1/apps/game-sessions/${body.id}`)).body.status).toBe('COMPLETED')
  expect(complaints).toEqual([])
})

test('the players of a session are listed by rank, those without a score last, and a score of an ended session is corrected', async () => {
  const { body } = await app.post('/api/v1/apps/game-sessions', { name: 'Night ferry' })
  for (const { id } of players.slice(0, 4))
    await app.post(`/api/v1/apps/game-sessions/${body.id}/players`, { playerId: id })
  for (const [i, points] of [50, 99_999, 70].entries()) await score(players[i]!.id, points, body.id)
  await app.patch(`/api/v1/apps/game-sessions/${body.id}`, { status: 'COMPLETED' })
  const { page, complaints } = await openAt(`/sessions/${body.id}`)
  const rows = page.getByRole('group', { name: 'Scores' }).locator('tbody tr')
  const order = async () => (await rows.locator('a').allTextContents()).map((name) => name.trim())
  await expect.poll(order).toEqual(['nightjar22', 'kite.runner', 'brasscompass', 'low_tide'])
  expect(await rows.last().textContent()).toMatch(/^–.*low_tide.*–/)
  await page.getByRole('button', { name: 'Correct the score of nightjar22' }).click()
  const dialog = page.getByRole('dialog', { name: 'Correct the score of nightjar22' })
  await inAllShapes(page, 'session-correct', () => dialog.getByText('The score is 99,999.').waitFor())
  await dialog.getByLabel('Correct score').first().fill('60')
  await dialog.getByRole('button', { name: 'Correct score' }).click()
  await expect.poll(order).toEqual(['kite.runner', 'nightjar22', 'brasscompass', 'low_tide'])
  const { entries } = (
    await keeper.get(`/api/v1/audit-log?action=score.corrected&subject=${body.id}/${players[1]!.id}`)
  ).body
  expect(entries).toMatchObject([{ actor: keeper.id, changes: { score: { from: 99_999, to: 60 } } }])
  expect(complaints).toEqual([])
})

test('sessions and mini games are listed, and a mini game is made whose lowest score is the best', async () => {
  const { page, complaints } = await openAt('/sessions')
  await inAllShapes(page, 'sessions', () => page.getByRole('link', { name: 'Saturday tide' }).waitFor())
  await page.setViewportSize({ width: 1600, height: 1000 })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Mini games' }).click()
  await page.getByText('Only the default game').waitFor()
  await page.getByRole('button', { name: 'New mini game' }).first().click()
  await page.getByLabel('Name').fill('Bell Tower Sprint')
  await page.getByText('Lowest', { exact: true }).click()
  await page.getByRole('button', { name: 'Create mini game' }).click()
  await inAllShapes(page, 'mini-games', () => page.getByRole('link', { name: 'Bell Tower Sprint' }).waitFor())
  const { body } = await app.get('/api/v1/apps/mini-game-types')
  expect(body.miniGameTypes).toMatchObject([{ name: 'Bell Tower Sprint', sortOrder: 'asc' }])
  expect(complaints).toEqual([])
})

test('a mini game is hidden, stands among the hidden ones, and is shown again', async () => {
  const { id } = (await app.post('/api/v1/apps/mini-game-types', { name: 'Lantern Run', description: 'At dusk' })).body
  const shown = async () => (await app.get(`/api/v1/apps/mini-game-types/${id}`)).status
  const { page, complaints } = await openAt('/mini-games')
  await page.getByRole('button', { name: 'Hide Lantern Run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Hide Lantern Run' }).click()
  const back = page.getByRole('button', { name: 'Show again: Lantern Run' })
  await inAllShapes(page, 'mini-games-hidden', () => back.waitFor())
  expect(await shown()).toBe(404)
  await back.click()
  await page.getByRole('button', { name: 'Hide Lantern Run' }).waitFor()
  await back.waitFor({ state: 'detached' })
  expect(await shown()).toBe(200)
  expect(complaints).toEqual([])
})

test('a user without access to the app’s key sees why its players are hidden', async () => {
  const other = await opened.person({ name: 'other', roles: [] })
  const { page } = await opened.open(`/apps/${app.id}/players`, { token: other.token })
  await page.getByText(/Not found|Not allowed/).waitFor()
})
