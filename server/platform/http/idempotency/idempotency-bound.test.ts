import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildersOn } from '../../../test/builders.ts'
import { type Service, startService } from '../../../test/service.ts'
import { sqlOn } from '../../../test/sql.ts'

const MOST = 100_000

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('beyond 100,000 keys without a credential the oldest are deleted, and those of apps are kept', {
  tags: ['long'],
}, async () => {
  const sql = sqlOn(service)
  const app = await buildersOn(service).app()
  const withKey = (headers: Record<string, string>, key: string) => service.as({ ...headers, 'idempotency-key': key })
  const player = withKey(app.headers, 'of the app')
  const first = await player.post('/api/v1/apps/players', { displayName: 'Ada' })
  await sql(
    `insert into idempotency_keys (scope, key, state, created_at)
     select 'address:192.0.2.1', i::text, 'answered', now() - interval '1 hour' + i * interval '1 ms'
       from generate_series(1, ${MOST}) i`,
  )
  const announced = { fileName: 'a.txt', contentType: 'text/plain' }
  const announce = (key: string) => withKey({}, key).post('/api/upload/presigned', announced)
  const answers = []
  for (let i = 0; i < 100; i++) answers.push(await announce(`key ${i}`))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const [kept] = await sql<{ count: number; first: number }>(
    `select count(*), min(key::int) filter (where scope = 'address:192.0.2.1') as first
       from idempotency_keys where scope like 'address:%'`,
  )
  expect(kept).toEqual({ count: MOST, first: 101 })
  expect((await announce('key 0')).body).toEqual(answers[0]!.body)
  expect((await player.post('/api/v1/apps/players', { displayName: 'Ada' })).body).toEqual(first.body)
})
