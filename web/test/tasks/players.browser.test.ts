import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../support/console.ts'
import { SHAPES, startTask } from './task.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

/** An app with an ended session in which mallory cheated, and its owner. */
async function cheatedApp() {
  const keeper = await opened.person()
  const app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const session = (await app.post('/api/v1/apps/game-sessions', { name: 'Saturday tide' })).body
  const players = `/api/v1/apps/game-sessions/${session.id}/players`
  let mallory = ''
  for (const [name, score] of Object.entries({ anna: 300, ben: 100, mallory: 99_999 })) {
    mallory = (await opened.given.player(app, name)).id
    await app.post(players, { playerId: mallory })
    await app.patch(`${players}/${mallory}`, { score })
  }
  await app.patch(`/api/v1/apps/game-sessions/${session.id}`, { status: 'COMPLETED' })
  return { app, keeper, mallory, players }
}

describe.each(SHAPES)('$shape', (shape) => {
  test('a: the score of a cheat in an ended session is corrected', async () => {
    const { app, keeper, mallory } = await cheatedApp()
    const { page, go, expectClicks } = await startTask(opened, `/apps/${app.id}`, keeper.token, shape)
    await go('Players')
    await page.getByRole('link', { name: 'mallory' }).click()
    await page.getByRole('button', { name: 'Correct the score in Saturday tide' }).click()
    const dialog = page.getByRole('dialog', { name: 'Correct the score of mallory' })
    await dialog.getByLabel('Correct score').first().fill('150')
    await dialog.getByRole('button', { name: 'Correct score' }).click()
    await page.getByRole('group', { name: 'Rankings' }).getByText('150').waitFor()
    expect((await app.get(`/api/v1/apps/players/${mallory}/global-ranking`)).body.highestScore).toBe(150)
    await expectClicks(4, 5)
  })

  test('b: a cheat is banned with a reason', async () => {
    const { app, keeper, mallory } = await cheatedApp()
    const { page, go, expectClicks } = await startTask(opened, `/apps/${app.id}`, keeper.token, shape)
    await go('Players')
    await page.getByRole('link', { name: 'mallory' }).click()
    await page.getByRole('button', { name: 'Ban…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ban mallory?' })
    await dialog.getByLabel('Reason').fill('99,999 points in a minute')
    await dialog.getByRole('button', { name: 'Ban mallory' }).click()
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    expect((await app.get(`/api/v1/apps/players/${mallory}`)).body.standing).toBe('banned')
    await expectClicks(4, 5)
  })

  test('c: the ranks of a player are read', async () => {
    const { app, keeper } = await cheatedApp()
    const { page, go, expectClicks } = await startTask(opened, `/apps/${app.id}`, keeper.token, shape)
    await go('Players')
    await page.getByRole('link', { name: 'anna' }).click()
    await page.getByRole('group', { name: 'Rankings' }).getByText('300').waitFor()
    await expectClicks(2, 3)
  })

  test('k: who changed a score, and what it was before, is found', async () => {
    const { app, keeper, mallory, players } = await cheatedApp()
    const member = opened.service.as({ authorization: `Bearer ${keeper.token}`, 'x-app-id': app.id })
    await member.post(`${players}/${mallory}/correction`, { score: 150 })
    const { page, go, expectClicks } = await startTask(opened, `/apps/${app.id}`, keeper.token, shape)
    await go('Players')
    await page.getByRole('link', { name: 'mallory' }).click()
    const timeline = page.getByRole('list', { name: 'Timeline' })
    await timeline.getByText('Score: 99,999 → 150').waitFor()
    await expectClicks(2, 3)
  })
})
