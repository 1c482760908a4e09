import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../../support/console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

test('a session of more than a hundred players lists all ranks of its leaderboard in order, then the players without a score', async () => {
  const keeper = await opened.person()
  const app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const { id } = (await app.post('/api/v1/apps/game-sessions', { name: 'Regatta' })).body
  const at = `/api/v1/apps/game-sessions/${id}`
  // Who joins later scores better, two have the same score, and each tenth has none.
  for (let n = 0; n < 130; n++) {
    const player = await opened.given.player(app, `sailor ${n}`)
    await app.post(`${at}/players`, { playerId: player.id })
    if (n % 10 !== 9) await app.patch(`${at}/players/${player.id}`, { score: Math.floor(n / 2) })
  }
  const ranks = []
  for (let path: string | undefined = `${at}/leaderboard?limit=50`; path; ) {
    const { body, headers }: { body: { leaderboard: { ranking: number }[] }; headers: Headers } = await app.get(path)
    ranks.push(...body.leaderboard.map(({ ranking }) => String(ranking)))
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    path = next && new URL(next, opened.service.url).pathname + new URL(next, opened.service.url).search
  }
  expect(ranks).toHaveLength(117)

  const { page, complaints } = await opened.open(`/apps/${app.id}/sessions/${id}`, { token: keeper.token })
  const rows = page.getByRole('group', { name: 'Scores' }).locator('tbody tr')
  const shown = () => rows.locator('td:first-child').allTextContents()
  const withTies = (all: string[]) =>
    all.map((one) => (all.filter((other) => other === one).length > 1 ? `=${one}` : one))
  await expect.poll(shown).toEqual(withTies(ranks.slice(0, 100)))
  await page.getByText('100 of 130').waitFor()
  const more = page.getByRole('button', { name: 'Show more' })
  await more.click()
  await expect.poll(shown).toEqual([...withTies(ranks), ...Array.from({ length: 10 }, () => '–')])
  await more.click()
  await expect.poll(shown).toEqual([...withTies(ranks), ...Array.from({ length: 13 }, () => '–')])
  expect(complaints).toEqual([])
})
