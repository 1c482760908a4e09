// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../test/builders.ts'
import { type Receiver, startReceiver } from '../../test/network/receiver.ts'
import { type Service, startService } from '../../test/service.ts'
import { type Sql, sqlOn } from '../../test/sql.ts'

let receiver: Receiver
let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ CAIRN_WEBHOOK_HOSTS: receiver.host, CAIRN_WEBHOOK_CONCURRENCY: '100' })
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

async function webhook(path: string) {
  const owner = await given.user()
  const app = await given.app({ owner })
  const url = `${receiver.url}/${path}`
  const { body } = await owner.post(`/api/v1/apps/${app.id}/webhooks`, { url, eventTypes: ['player.created'] })
  return { app, id: body.id as string }
}

test('slow receivers of one user, as many as are served at once, do not delay other users at the same host', async () => {
  let slowOnes = 0
  receiver.answer = (response, { data }) => {
    if (!data.isSlow) response.end()
    else if (++slowOnes > 0) setTimeout(() => response.end(), 2000)
    return true
  }
  const slow = await Promise.all(Array.from({ length: 6 }, (_, n) => webhook(`slow-${n}`)))
  const quick = await webhook('quick')
  for (const { app, id } of slow)
    await sql(
      `insert into webhook_deliveries (app_id, endpoint_id, id, type, subject, data)
       select $1, $2, new_event_id(), 'player.created', n::text, '{"isSlow": true}' from generate_series(1, 800) n`,
      [app.id, id],
    )
  await expect.poll(() => slowOnes).toBeGreaterThan(400)

  const player = await given.player(quick.app)
  const before = slowOnes
  expect(await receiver.next(({ data }) => data.id === player.id)).toBeDefined()
  // It takes its turn among the others as soon as one is free, and is not behind all that they have.
  expect(slowOnes - before).toBeLessThan(1900)
})
