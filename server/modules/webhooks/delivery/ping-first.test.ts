import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Builders, buildersOn } from '../../../test/builders.ts'
import { type Service, startService } from '../../../test/service.ts'
import { type Sql, sqlOn } from '../../../test/sql.ts'

let service: Service
let given: Builders
let sql: Sql
beforeAll(async () => {
  // Serves requests only, so that nothing is sent.
  service = await startService({ CAIRN_ROLE: 'api', CAIRN_WEBHOOK_HOSTS: '127.0.0.1:9' })
  given = buildersOn(service)
  sql = sqlOn(service)
})
afterAll(() => service.stop())

test('a test event is due before everything that waits', async () => {
  const owner = await given.user()
  const app = await given.app({ owner })
  const hooks = `/api/v1/apps/${app.id}/webhooks`
  const { id } = (await owner.post(hooks, { url: 'http://127.0.0.1:9/', eventTypes: ['player.created'] })).body
  for (let n = 0; n < 3; n++) await given.player(app)
  await owner.post(`${hooks}/${id}/test`, {})
  const due = await sql<{ type: string }>(
    `select type from webhook_deliveries where endpoint_id = $1 and status = 'PENDING' order by due_at, seq`,
    [id],
  )
  expect(due.map(({ type }) => type)).toEqual(['ping', 'player.created', 'player.created', 'player.created'])
})
