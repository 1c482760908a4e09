// @module-tag long
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Receiver, startReceiver } from '../../../test/network/receiver.ts'
import { webhooksOn } from '../../../test/network/webhooks.ts'
import { type Caller, type Service, startSecondService, startService } from '../../../test/service.ts'

/** More than any disk has. */
const FULL = String(2 ** 50)

let receiver: Receiver
let first: Service
let owner: Caller
beforeAll(async () => {
  receiver = await startReceiver()
  first = await startService({ CAIRN_ROLE: 'api', CAIRN_WEBHOOK_HOSTS: receiver.host })
  owner = await buildersOn(first).user()
})
afterAll(async () => {
  await first.stop()
  await receiver.stop()
})

/** A process that sends, with these settings, while the work is done. */
async function withSender(settings: Record<string, string>, work: (sender: Service) => Promise<void>) {
  const sender = await startSecondService(first, { CAIRN_WEBHOOK_HOSTS: receiver.host, ...settings })
  try {
    await work(sender)
  } finally {
    await sender.stop()
  }
}
const nearlyFull = () => ({ CAIRN_DATABASE_RESERVE_BYTES: FULL, CAIRN_DATABASE_FOLDER: first.folder })

test('webhooks are not sent while the disk of the database is nearly full, and are sent afterwards', async () => {
  const { app } = await webhooksOn(first, owner, receiver).subscribed(['player.created'])
  const player = await buildersOn(first).player(app)
  await withSender(nearlyFull(), async () => {
    await sleep(3000)
    expect(receiver.received).toEqual([])
  })
  await withSender({}, async () => {
    expect(await receiver.next(({ data }) => data.id === player.id)).toBeDefined()
  })
})

test('a webhook with too many pending deliveries is disabled and its backlog removed, also while the disk is nearly full', async () => {
  const { app, at } = await webhooksOn(first, owner, receiver).subscribed(['player.created'])
  for (let i = 0; i < 5; i++) await buildersOn(first).player(app)
  await withSender({ ...nearlyFull(), CAIRN_WEBHOOK_PENDING: '3' }, async () => {
    await expect
      .poll(async () => (await owner.get(at)).body.disabledReason)
      .toMatch(/^5 deliveries waited, of 3 that may/)
    await expect.poll(async () => (await owner.get(`${at}/deliveries?status=PENDING`)).body.deliveries).toEqual([])
  })
})
