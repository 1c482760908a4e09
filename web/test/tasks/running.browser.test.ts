import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../server/test/network/receiver.ts'
import { sqlOn } from '../../../server/test/sql.ts'
import { type OpenConsole, startConsole } from '../support/console.ts'
import { copied, SHAPES, startTask } from './task.ts'

let receiver: Receiver
let opened: OpenConsole
beforeAll(async () => {
  receiver = await startReceiver()
  receiver.answer = (response) => {
    response.writeHead(503).end()
    return false
  }
  opened = await startConsole({ CAIRN_WEBHOOK_HOSTS: receiver.host })
})
afterAll(async () => {
  await opened.stop()
  await receiver.stop()
})

async function newApp() {
  const keeper = await opened.person()
  return { keeper, app: await opened.given.app({ owner: keeper, name: 'Harbour Hunt' }) }
}

describe.each(SHAPES)('$shape', (shape) => {
  test('d: a held score is accepted', async () => {
    const { app, keeper } = await newApp()
    const type = { name: 'Sprint', rules: { requireMetadata: ['replay'] } }
    const { id: miniGameTypeId } = (await app.post('/api/v1/apps/mini-game-types', type)).body
    const session = (await app.post('/api/v1/apps/game-sessions', { miniGameTypeId })).body
    const { id: playerId } = await opened.given.player(app, 'a_rather_long_name_of_a_player')
    const players = `/api/v1/apps/game-sessions/${session.id}/players`
    await app.post(players, { playerId })
    await app.patch(`${players}/${playerId}`, { score: 9 })
    const { page, expectClicks } = await startTask(opened, `/apps/${app.id}`, keeper.token, shape)
    await page.getByRole('link', { name: '1 score waits for a review' }).click()
    const accept = page.getByRole('button', { name: 'Accept the score of a_rather_long_name_of_a_player' })
    const { x, width } = (await accept.boundingBox())!
    expect(x + width, 'the button is in view, without scrolling').toBeLessThanOrEqual(shape.viewport.width)
    await accept.click()
    await page.getByText('Nothing to review').waitFor()
    await expectClicks(2, 2)
  })

  test('e: a season begins', async () => {
    const { app, keeper } = await newApp()
    const { page, go, expectClicks } = await startTask(opened, `/apps/${app.id}`, keeper.token, shape)
    await go('Seasons')
    await page.getByText('No seasons yet').waitFor()
    await page.getByRole('button', { name: 'New season' }).click()
    const dialog = page.getByRole('dialog', { name: 'New season' })
    await dialog.getByLabel('Name').fill('Spring')
    await dialog.getByLabel('Starts').fill('2020-03-20T18:00')
    await dialog.getByRole('button', { name: 'Create season' }).click()
    await page.getByRole('link', { name: 'Spring' }).waitFor()
    await expectClicks(3, 4)
  })

  test('f: a person is invited to the app', async () => {
    const { app, keeper } = await newApp()
    const { page, expectClicks } = await startTask(opened, `/apps/${app.id}`, keeper.token, shape)
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByText('No pending invitations').waitFor()
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite someone to Harbour Hunt' })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByRole('button', { name: /^Copy/ }).click()
    await expect.poll(() => copied(page)).toContain('/console/invitation#')
    await expectClicks(4, 4)
  })

  test('h: a delivery that failed is sent again', async () => {
    const { app, keeper } = await newApp()
    const hook = { url: receiver.url, eventTypes: ['player.created'] }
    await keeper.post(`/api/v1/apps/${app.id}/webhooks`, hook)
    await opened.given.player(app, 'anna')
    const sql = sqlOn(opened.service)
    const failing = () => sql('select from webhook_endpoints where app_id = $1 and failing_since is not null', [app.id])
    await expect.poll(async () => (await failing()).length, { timeout: 30_000 }).toBe(1)
    const { page, expectClicks } = await startTask(opened, `/apps/${app.id}`, keeper.token, shape)
    await page.getByRole('link', { name: '1 webhook is failing' }).click()
    await page.getByRole('link', { name: new URL(receiver.url).host }).click()
    await page.getByRole('link', { name: 'player.created' }).click()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText(/^Sending now/).waitFor()
    await expectClicks(4, 4)
  })

  test('i: the key of the app is replaced, and the old one works for another day', async () => {
    const { app, keeper } = await newApp()
    const { page, expectClicks } = await startTask(opened, `/apps/${app.id}`, keeper.token, shape)
    await page.getByRole('button', { name: 'Rotate…' }).click()
    await page.getByRole('button', { name: 'Rotate key' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect((await keeper.get(`/api/v1/apps/${app.id}`)).body.apiKey).not.toBe(app.key)
    expect((await app.get('/api/v1/apps/leaderboards')).status).toBe(200)
    await expectClicks(2, 2)
  })
})
