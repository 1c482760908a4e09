// @module-tag long
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runCommandOn } from '../test/run-command.ts'
import { type Service, startService } from '../test/service.ts'

vi.setConfig({ testTimeout: 240_000 })

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test.each(['worker', 'serve', 'start'])(
  '%s reports a port in use, with the option and the setting that change it',
  async (word) => {
    const { hostname, port } = new URL(service.url)
    const { code, err } = await runCommandOn(service, [word, '--host', hostname, '--port', port])
    expect(code).toBe(1)
    expect(err).toContain(`Port ${port} of ${hostname} is in use`)
    expect(err).toMatch(/CAIRN_PORT.*--port/)
  },
)

test('refuses a wrong secret before the database is changed', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  try {
    // If migrations ran first, this one would be applied again, and fail.
    await client.query('delete from migrations where name = (select max(name) from migrations)')
  } finally {
    await client.end()
  }
  const other = { CAIRN_SECRET: 'another secret than that of the tests' }
  const { code, err } = await runCommandOn(service, ['worker', '--port', '0'], other)
  expect(code).toBe(1)
  expect(err).toContain('is not the one of this database')
})
