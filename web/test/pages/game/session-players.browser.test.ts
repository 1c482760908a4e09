import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenConsole, startConsole } from '../../support/console.ts'

let opened: OpenConsole
beforeAll(async () => {
  opened = await startConsole()
})
afterAll(() => opened.stop())

/** A running session with three players, of whom two have the same score. */
async function givenSession() {
  const keeper = await opened.person()
  const app = await opened.given.app({ owner: keeper, name: 'Harbour Hunt' })
  const { id } = (await app.post('/api/v1/apps/game-sessions', { name: 'Regatta' })).body
  const path = `/api/v1/apps/game-sessions/${id}/players`
  for (const [name, score] of Object.entries({ a_rather_long_name_of_a_player: 90, anna: 70, ben: 70 })) {
    const player = await opened.given.player(app, name)
    await app.post(path, { playerId: player.id })
    await app.patch(`${path}/${player.id}`, { score })
  }
  const names = async () => (await app.get(path)).body.players.map((one: { displayName: string }) => one.displayName)
  const { players }: { players: { playerId: string; displayName: string }[] } = (await app.get(path)).body
  const idOf = (name: string) => players.find(({ displayName }) => displayName === name)!.playerId
  const write = (name: string, score: number) => app.patch(`${path}/${idOf(name)}`, { score })
  return { app, keeper, names, write, path, at: `/apps/${app.id}/sessions/${id}` }
}

test('a player is removed from a session only after a question, and players with the same score share a rank', async () => {
  const { keeper, names, at } = await givenSession()
  const { page, complaints } = await opened.open(at, { token: keeper.token })
  const ranks = page.getByRole('group', { name: 'Scores' }).locator('tbody td:first-child')
  await expect.poll(() => ranks.allTextContents()).toEqual(['1', '=2', '=2'])
  await page.getByRole('button', { name: 'Remove anna' }).click()
  const question = page.getByRole('dialog', { name: 'Remove anna from this session?' })
  await question.getByText('This also deletes the player’s score').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await names()).toContain('anna')
  await page.getByRole('button', { name: 'Remove anna' }).click()
  await question.getByRole('button', { name: 'Remove player' }).click()
  await expect.poll(() => ranks.allTextContents()).toEqual(['1', '2'])
  expect(await names()).not.toContain('anna')
  expect(complaints).toEqual([])
})

test('on a phone, the button that saves a changed score is in view, and the rows stay where they are', async () => {
  const { app, keeper, path, at } = await givenSession()
  const viewport = { width: 375, height: 812 }
  const { page, complaints } = await opened.open(at, { token: keeper.token, viewport })
  const field = page.getByLabel('Score of ben')
  const name = page.getByRole('link', { name: 'a_rather_long_name_of_a_player' })
  const before = await name.boundingBox()
  await field.fill('95')
  const save = page.getByRole('button', { name: 'Save' })
  const { x, width } = (await save.boundingBox())!
  expect(x + width).toBeLessThanOrEqual(viewport.width)
  expect(await name.boundingBox()).toEqual(before)
  await save.click()
  await expect
    .poll(async () => (await app.get(path)).body.players.map(({ score }: { score: number }) => score).sort())
    .toEqual([70, 90, 95])
  expect(complaints).toEqual([])
})

test('a score that is being typed is kept with its focus while other scores change, and gives way to a newer score once it is saved', async () => {
  const { keeper, write, at } = await givenSession()
  const { page, complaints } = await opened.open(at, { token: keeper.token })
  const fieldOf = (name: string) => page.getByRole('textbox', { name: `Score of ${name}` })
  await fieldOf('a_rather_long_name_of_a_player').fill('9')

  // The row that is typed in falls to the last rank, and its own score is written, too.
  await write('anna', 95)
  await write('ben', 96)
  await write('a_rather_long_name_of_a_player', 20)
  await expect.poll(() => fieldOf('ben').inputValue(), { timeout: 60_000 }).toBe('96')
  await page.keyboard.type('9')
  expect(await fieldOf('a_rather_long_name_of_a_player').inputValue()).toBe('99')
  await page.keyboard.press('Enter')
  const ranks = page.getByRole('group', { name: 'Scores' }).locator('tbody tr')
  await expect.poll(() => ranks.first().textContent()).toContain('a_rather_long_name')
  await write('a_rather_long_name_of_a_player', 98)
  await expect.poll(() => fieldOf('a_rather_long_name_of_a_player').inputValue(), { timeout: 60_000 }).toBe('98')
  expect(complaints).toEqual([])
})

test('a click on Save writes the score of its row, also after other scores changed', async () => {
  const { keeper, write, at } = await givenSession()
  const { page, complaints } = await opened.open(at, { token: keeper.token })
  const fieldOf = (name: string) => page.getByRole('textbox', { name: `Score of ${name}` })
  const rows = page.getByRole('group', { name: 'Scores' }).locator('tbody tr')
  await fieldOf('a_rather_long_name_of_a_player').fill('80')
  await write('anna', 95)
  await write('ben', 96)
  await expect.poll(() => fieldOf('ben').inputValue(), { timeout: 60_000 }).toBe('96')
  expect(await rows.first().textContent()).toContain('a_rather_long_name')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => rows.first().textContent()).toContain('ben')
  await expect.poll(() => fieldOf('a_rather_long_name_of_a_player').inputValue()).toBe('80')
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })

  // The field still has the focus: rows stay where they are.
  await write('anna', 97)
  await expect.poll(() => fieldOf('anna').inputValue(), { timeout: 60_000 }).toBe('97')
  expect(await rows.first().textContent()).toContain('ben')
  expect(complaints).toEqual([])
})

test('a score that is typed back to the saved one gives way to a newer score', async () => {
  const { keeper, write, at } = await givenSession()
  const { page, complaints } = await opened.open(at, { token: keeper.token })
  const field = page.getByRole('textbox', { name: 'Score of ben' })
  await field.fill('7')
  await field.fill('70')
  await write('ben', 75)
  await expect.poll(() => field.inputValue(), { timeout: 60_000 }).toBe('75')
  expect(complaints).toEqual([])
})
