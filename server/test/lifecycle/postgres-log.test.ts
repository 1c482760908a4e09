// @module-tag long
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bareEnvironment, cleanUp, newFolder, ROOT, type ServiceProcess, startProcess } from '../process.ts'

let folder: string
let service: ServiceProcess | undefined
beforeEach(async () => {
  folder = await newFolder()
})
afterEach(() => cleanUp(folder, service))

test('the log of the bundled PostgreSQL has failing statements without names, positions and parameters', async () => {
  service = await startProcess(folder)
  const call = callerAt(service.url)
  const player = await call('POST', 'players', { displayName: 'Ada Lovelace' })
  const other = await call('POST', 'players', { displayName: 'Grace Hopper' })
  expect((await call('PATCH', `players/${other.body.id}`, { displayName: 'Ada Lovelace' })).status).toBe(409)
  const database = await databaseOf(folder)
  for (const [text, values] of [
    [
      "insert into pins (title, content_type, latitude, longitude) values ($1, 'GLB', $2, $3)",
      ['Home', 98.7654321, 11],
    ],
    [
      "insert into pins (title, content_type, latitude, longitude) values ('Grace lives here', 'GLB', 97.654321, 11)",
      [],
    ],
  ] as const)
    await expect(database.query(text, [...values])).rejects.toThrow()
  await database.end()

  const log = readFileSync(join(folder, 'database', 'postgres.log'), 'utf8')
  expect(log).toContain('duplicate key value violates unique constraint')
  expect(log).toContain('violates check constraint')
  for (const value of ['ada lovelace', 'Ada Lovelace', player.body.id, '98.7654321', '97.654321', 'Grace', 'Home'])
    expect(log).not.toContain(value)
  expect(log).not.toMatch(/DETAIL|STATEMENT|CONTEXT|parameters/)
})

function callerAt(url: string) {
  const token = execFileSync(process.execPath, ['server/cli.ts', 'user', 'token', '--name', 'ada'], {
    cwd: ROOT,
    env: { ...bareEnvironment(), CAIRN_DATA_DIR: folder },
    encoding: 'utf8',
  }).trim()
  const send = async (method: string, path: string, body: object, headers: Record<string, string>) => {
    const sent = { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
    const answer = await fetch(`${url}/api/v1/apps${path}`, sent)
    // biome-ignore lint/suspicious/noExplicitAny: the test reads a few members of answers that openapi.json describes.
    return { status: answer.status, body: (await answer.json()) as any }
  }
  const made = send('POST', '', { name: 'Log', description: 'Quiet' }, { authorization: `Bearer ${token}` })
  return async (method: string, path: string, body: object) =>
    send(method, `/${path}`, body, { 'x-app-api-key': (await made).body.apiKey })
}

async function databaseOf(dataDir: string): Promise<pg.Client> {
  const database = join(dataDir, 'database')
  const socketFolder = readFileSync(join(database, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[4]!
  const password = readFileSync(join(database, 'password'), 'utf8').trim()
  const client = new pg.Client({ host: socketFolder, user: 'cairn', password, database: 'cairn' })
  await client.connect()
  return client
}
