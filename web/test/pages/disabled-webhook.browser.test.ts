import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../../server/test/network/receiver.ts'
import { webhooksOn } from '../../../server/test/network/webhooks.ts'
import { type OpenConsole, startConsole } from '../support/console.ts'

let receiver: Receiver
let opened: OpenConsole
beforeAll(async () => {
  receiver = await startReceiver()
  opened = await startConsole({
    CAIRN_WEBHOOK_HOSTS: receiver.host,
    CAIRN_WEBHOOK_PENDING: '3',
    CAIRN_WEBHOOK_RETRY_SECONDS: '3600',
  })
})
afterAll(async () => {
  await opened.stop()
  await receiver.stop()
})

test('the owner of a webhook that was disabled for its backlog sees it on the home of the app, with the reason and what was removed', async () => {
  receiver.answer = (response) => {
    response.writeHead(500).end()
    return false
  }
  const owner = await opened.person()
  const { app, at } = await webhooksOn(opened.service, owner, receiver).subscribed(['player.created'])
  for (let i = 0; i < 5; i++) await opened.given.player(app)
  await expect.poll(async () => (await owner.get(at)).body.enabled).toBe(false)

  const { page, complaints } = await opened.open(`/apps/${app.id}`, { token: owner.token })
  await page.getByRole('link', { name: '1 webhook was disabled' }).click()
  await page.getByRole('link', { name: new URL(receiver.url).host }).click()
  await page
    .getByText(/^The service disabled it: [45] deliveries waited, of 3 that may: they were removed\.$/)
    .waitFor()
  await page.getByText('events that are still pending are then sent').waitFor()
  expect(complaints).toEqual([])
})
