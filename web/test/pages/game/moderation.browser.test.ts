import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../../server/test/service.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../../support/console.ts'

let opened: OpenConsole
let keeper: Awaited<ReturnType<OpenConsole['person']>>
let app: Caller & { id: string; key: string }
const players: { id: string; displayName: string }[] = []
const SCORES = { anna: 300, ben: 100, mallory: 99_999, dora: 200 }
beforeAll(async () => {
  opened = await startConsole()
  keeper = await opened.person()
  app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const { id } = (await app.post('/api/v1/apps/game-sessions', { name: 'Saturday tide' })).body
  for (const [name, points] of Object.entries(SCORES)) {
    const player = await opened.given.player(app, name)
    players.push(player)
    await app.post(`/api/v1/apps/game-sessions/${id}/players`, { playerId: player.id })
    await app.patch(`/api/v1/apps/game-sessions/${id}/players/${player.id}`, { score: points })
  }
})
afterAll(() => opened.stop())

const openAt = (path: string) => opened.open(`/apps/${app.id}${path}`, { token: keeper.token })
const playerNamed = (name: string) => players.find(({ displayName }) => displayName === name)!
const standingOf = async (name: string) => {
  const { standing = 'normal', standingNote } = (await app.get(`/api/v1/apps/players/${playerNamed(name).id}`)).body
  return standingNote ? `${standing}: ${standingNote}` : standing
}

test('players are sorted by a press on a column head, and the address keeps the order', async () => {
  const { page, complaints } = await openAt('/players')
  const names = async () => page.locator('tbody tr a').allTextContents()
  await expect.poll(names).toEqual(['anna', 'ben', 'mallory', 'dora'])
  await page.getByRole('button', { name: 'Best score' }).click()
  await expect.poll(names).toEqual(['mallory', 'anna', 'dora', 'ben'])
  expect(page.url()).toContain('sort=-bestScore')
  expect(await page.getByRole('columnheader', { name: 'Best score' }).getAttribute('aria-sort')).toBe('descending')
  await page.getByRole('button', { name: 'Display name' }).click()
  await expect.poll(names).toEqual(['anna', 'ben', 'dora', 'mallory'])
  expect(complaints).toEqual([])
})

test('selected players are hidden together with a reason, found by their standing, and an undo brings them back', async () => {
  const { page, complaints } = await openAt('/players')
  for (const name of ['ben', 'mallory']) await page.getByLabel(`Select ${name}`).check()
  await inAllShapes(page, 'players-selected', () => page.getByText('2 selected').waitFor())
  await page.getByRole('button', { name: 'Hide…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hide 2 players?' })
  await inAllShapes(page, 'players-hide', () => dialog.getByLabel('Reason').waitFor())
  await dialog.getByLabel('Reason').fill('Same address')
  await dialog.getByRole('button', { name: 'Hide 2 players' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect([await standingOf('ben'), await standingOf('mallory')]).toEqual([
    'hidden: Same address',
    'hidden: Same address',
  ])
  await page.getByRole('radiogroup', { name: 'Standing' }).getByText('Hidden').click()
  await expect.poll(() => page.locator('tbody tr a').allTextContents()).toEqual(['ben', 'mallory'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('No hidden players').waitFor()
  expect([await standingOf('ben'), await standingOf('mallory')]).toEqual(['normal', 'normal'])
  expect(complaints).toEqual([])
})

test('a player is banned with a reason that the page shows, and restored', async () => {
  const { page, complaints } = await openAt(`/players/${playerNamed('mallory').id}`)
  await page.getByRole('button', { name: 'Ban…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ban mallory?' })
  await dialog.getByLabel('Reason').fill('99,999 points in a minute')
  await dialog.getByRole('button', { name: 'Ban mallory' }).click()
  // The dialog, while it closes, has the reason too.
  await dialog.waitFor({ state: 'hidden' })
  await inAllShapes(page, 'player-banned', () => page.getByText('99,999 points in a minute').waitFor())
  expect(await standingOf('mallory')).toBe('banned: 99,999 points in a minute')
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore mallory' }).click()
  await page.getByText('99,999 points in a minute').waitFor({ state: 'detached' })
  expect(await standingOf('mallory')).toBe('normal')
  expect(complaints).toEqual([])
})

test('a score is corrected from the page of its player', async () => {
  const { page, complaints } = await openAt(`/players/${playerNamed('dora').id}`)
  await page.getByRole('button', { name: 'Correct the score in Saturday tide' }).click()
  const dialog = page.getByRole('dialog', { name: 'Correct the score of dora' })
  await dialog.getByLabel('Correct score').first().fill('150')
  await dialog.getByRole('button', { name: 'Correct score' }).click()
  await page.getByRole('group', { name: 'Rankings' }).getByText('150').waitFor()
  expect(complaints).toEqual([])
})

test('held scores are accepted and rejected in a queue that the navigation counts', async () => {
  const type = (await app.post('/api/v1/apps/mini-game-types', { name: 'Sprint', rules: { maxIncrease: 10 } })).body
  const { id } = (await app.post('/api/v1/apps/game-sessions', { name: 'Dash', miniGameTypeId: type.id })).body
  for (const { id: playerId } of players.slice(0, 2)) {
    const at = `/api/v1/apps/game-sessions/${id}/players`
    await app.post(at, { playerId })
    for (const score of [1, 500]) await app.patch(`${at}/${playerId}`, { score })
  }
  const { page, complaints } = await openAt('/reviews')
  await page.getByRole('link', { name: /Reviews\s*2/ }).waitFor()
  await inAllShapes(page, 'reviews', () => page.getByRole('button', { name: 'Accept the score of anna' }).waitFor())
  await page.getByRole('button', { name: 'Accept the score of anna' }).click()
  await page.getByRole('button', { name: 'Accept the score of anna' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Reject the score of ben' }).click()
  await page.getByText('Nothing to review').waitFor()
  const board = (await app.get(`/api/v1/apps/leaderboards/mini-game?miniGameTypeId=${type.id}`)).body.leaderboard
  expect(board.map(({ playerScore }: { playerScore: number }) => playerScore)).toEqual([500, 1])
  await page.getByRole('radiogroup', { name: 'State' }).getByText('Rejected').click()
  await page.getByRole('button', { name: 'Accept the score of ben' }).waitFor()
  expect(complaints).toEqual([])
})

test('a season is created and leads to its leaderboard, and a leaderboard shows a week', async () => {
  const { page, complaints } = await openAt('/seasons')
  await page.getByText('No seasons yet').waitFor()
  await page.getByRole('button', { name: 'New season' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New season' })
  await inAllShapes(page, 'season-new', () => dialog.getByLabel('Starts').waitFor())
  await dialog.getByLabel('Name').fill('Spring')
  await dialog.getByLabel('Starts').fill('2020-03-20T18:00')
  await dialog.getByRole('button', { name: 'Create season' }).click()
  await inAllShapes(page, 'seasons', () => page.getByRole('link', { name: 'Spring' }).waitFor())
  await page.getByRole('link', { name: 'Spring' }).click()
  await page.waitForURL(/season=/)
  const rows = page.locator('tr[data-player]')
  await expect.poll(() => rows.first().textContent()).toContain('mallory')
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'This week' }).click()
  await page.waitForURL(/window=week/)
  await inAllShapes(page, 'board-week', () => rows.first().waitFor())
  expect(await rows.count()).toBe(4)
  expect(complaints).toEqual([])
})

test('a fence is made of a zone, with points for a check-in, and deleted', async () => {
  await keeper.post('/api/zones', {
    title: 'Inner harbour',
    boundary: {
      type: 'Polygon',
      coordinates: [
        [
          [10, 54],
          [10.1, 54],
          [10.1, 54.1],
          [10, 54],
        ],
      ],
    },
  })
  const { page, complaints } = await openAt('/fences')
  await page.getByText('No fences yet').waitFor()
  await page.getByRole('button', { name: 'New fence' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New fence' })
  await dialog.getByLabel('Name').fill('Harbour')
  await dialog.getByRole('combobox', { name: 'Zone' }).click()
  await page.getByRole('option', { name: 'Inner harbour' }).click()
  await dialog.getByLabel('Players can check in here').check()
  await inAllShapes(page, 'fence-new', () => dialog.getByLabel('Points for a check-in').waitFor())
  await dialog.getByLabel('Points for a check-in').fill('10')
  await dialog.getByRole('button', { name: 'Create fence' }).click()
  await inAllShapes(page, 'fences', () => page.getByRole('link', { name: 'Harbour', exact: true }).waitFor())
  const { fences } = (await app.get('/api/v1/apps/fences')).body
  expect(fences).toMatchObject([{ name: 'Harbour', checkIn: { once: 'ever', award: { points: 10 } } }])
  await page.getByRole('button', { name: 'Delete Harbour' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete fence' }).click()
  await page.getByText('No fences yet').waitFor()
  expect(complaints).toEqual([])
})
