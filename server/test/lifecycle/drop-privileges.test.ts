// @module-tag long
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { unprivilegedAccount } from '../../platform/database/embedded/data-directory.ts'
import { formOf } from '../multipart.ts'
import { cleanUp, newFolder, ROOT, type ServiceProcess, startProcess, untilReady } from '../process.ts'
import { runCommand } from '../run-command.ts'

const isRoot = process.getuid?.() === 0
const reads = ['-c', 'test -r "$1"', 'sh', join(ROOT, 'server', 'app.ts')]
const isReadable = isRoot && spawnSync('/bin/sh', reads, { ...unprivilegedAccount(), cwd: '/' }).status === 0
const uidOf = (pid: number) => Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])
const account = () => Number(spawnSync('id', ['-u', 'cairn']).stdout)

let folder: string
let running: ServiceProcess | undefined
afterEach(() => cleanUp(folder, running))

/** Everything in the data folder, but for what PostgreSQL keeps. */
function allIn(path: string): { path: string; mode: number; uid: number }[] {
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'database')
    .flatMap((entry) => {
      const own = join(path, entry.name)
      const { mode, uid } = statSync(own)
      return [{ path: own, mode: mode & 0o777, uid }, ...(entry.isDirectory() ? allIn(own) : [])]
    })
}

const upload = async (url: string, text: string) => {
  const answer = await fetch(`${url}/api/upload`, { method: 'POST', body: formOf({ name: 'a.txt', bytes: text }) })
  return ((await answer.json()) as { results: { url: string }[] }).results[0]!.url
}

// Skipped unless root runs the tests, in a folder that its account can read.
describe.runIf(isReadable)('a service that root starts', () => {
  test('switches to the account of its database and makes its folder private to it', async () => {
    folder = await newFolder()
    // As a release before left it: root's, and open to all.
    mkdirSync(join(folder, 'objects', 'ab'), { recursive: true, mode: 0o755 })
    writeFileSync(join(folder, 'objects', 'ab', 'a'.repeat(22)), 'before', { mode: 0o644 })
    for (const name of ['backups', 'basemap']) mkdirSync(join(folder, name), { mode: 0o700 })
    running = await startProcess(folder)
    expect(uidOf(running.child.pid!)).toBe(account())
    const address = await upload(running.url, 'hello')
    expect(await (await fetch(address)).text()).toBe('hello')
    const found = allIn(folder)
    expect(found.length).toBeGreaterThan(4)
    expect(new Set(found.map(({ uid }) => uid))).toEqual(new Set([account()]))
    expect(statSync(folder)).toMatchObject({ uid: account(), mode: 0o40700 })
    expect(statSync(join(folder, 'objects')).mode & 0o077).toBe(0)
    expect(statSync(join(folder, 'secret')).mode & 0o077).toBe(0)
  })

  test('reads what commands that root runs beside it have made, and starts again', async () => {
    folder = await newFolder()
    running = await startProcess(folder)
    const address = await upload(running.url, 'kept')
    const settings = { CAIRN_DATA_DIR: folder }
    const backup = join(folder, 'all.tar')
    writeFileSync(join(folder, 'p'), 'a passphrase of the tests')
    const saved = await runCommand(['backup', backup, '--passphrase-file', join(folder, 'p')], settings)
    expect(saved).toMatchObject({ code: 0 })
    expect(await runCommand(['user', 'token', '--name', 'ada'], settings)).toMatchObject({ code: 0 })
    running.child.kill('SIGTERM')
    await running.ended
    const said = await runCommand(['restore', backup, '--passphrase-file', join(folder, 'p'), '--force'], settings)
    expect(said).toMatchObject({ code: 0 })
    running = await startProcess(folder)
    expect(await untilReady(running.url)).toBe(true)
    const path = new URL(address).pathname
    expect(await (await fetch(running.url + path)).text()).toBe('kept')
    await upload(running.url, 'and more')
  })

  test('on a port that only root may have listens first', async () => {
    folder = await newFolder()
    running = await startProcess(folder, { settings: { CAIRN_PORT: '897' } })
    expect(running.url).toContain(':897')
    expect(uidOf(running.child.pid!)).toBe(account())
    await upload(running.url, 'hello')
    running.child.kill('SIGTERM')
    expect(await running.ended).toBe(0)
  })
})
