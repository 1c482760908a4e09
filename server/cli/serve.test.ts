// @module-tag long
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ROOT } from '../test/process.ts'
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

test('the program that serves without a command takes the options of serve, and other commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-program-'))
  const program = join(folder, 'cairn-server')
  symlinkSync(join(ROOT, 'server', 'cli.ts'), program)
  try {
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [program, ...words], { encoding: 'utf8', cwd: folder })
    expect(run('--port', '65536')).toMatchObject({ status: 1, stderr: expect.stringContaining('CAIRN_PORT: must be') })
    expect(run('--json', 'user', 'list')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('user list --json'),
    })
    expect(run('--version')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

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
