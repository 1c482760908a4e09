// @module-tag long
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  bareEnvironment,
  cleanUp,
  newFolder,
  postgresPid,
  ROOT,
  type ServiceProcess,
  startProcess,
  untilReady,
} from './test/process.ts'
import { steadyPort } from './test/programs/steady-port.ts'

/** A data folder that a service made and left in order. */
let used: string
let folder: string
let service: ServiceProcess | undefined
beforeAll(async () => {
  used = await newFolder()
  const { child, ended } = await startProcess(used)
  child.kill('SIGTERM')
  await ended
})
beforeEach(async () => {
  folder = await newFolder()
})
afterEach(() => cleanUp(folder, service))
afterAll(() => cleanUp(used))

/** For what is not about a first start. */
const usedBefore = () => execFileSync('cp', ['-a', `${used}/.`, folder])

describe('one process with the bundled database', () => {
  test('a second one on the same folder is refused with a sentence, and harms nothing; SIGTERM loses no accepted request, ends it with 0, and PostgreSQL with it', async () => {
    usedBefore()
    service = await startProcess(folder)
    await expect(startProcess(folder)).rejects.toThrow('Another Cairn already serves this database')
    expect(await untilReady(service.url)).toBe(true)
    const ask = () => fetch(`${service!.url}/.well-known/jwks.json`).then(({ status }) => status)
    const answers = Array.from({ length: 200 }, ask)
    await answers[0]
    service.child.kill('SIGTERM')
    expect(new Set(await Promise.all(answers))).toEqual(new Set([200]))
    expect(await service.ended).toBe(0)
    expect(postgresPid(folder)).toBeUndefined()
  })

  test('SIGTERM during a slow request cuts it off after ten seconds, and still stops PostgreSQL', async () => {
    usedBefore()
    service = await startProcess(folder)
    const { port } = new URL(service.url)
    const slow = connect(Number(port), '127.0.0.1', () =>
      slow.write(
        'POST /auth/exchange HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
      ),
    )
    slow.on('error', () => {})
    await sleep(300)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(postgresPid(folder)).toBeUndefined()
  })

  test('SIGTERM while it starts leaves no PostgreSQL behind', async () => {
    const child = spawn(process.execPath, ['server/main.ts'], {
      cwd: ROOT,
      env: { ...bareEnvironment(), CAIRN_DATA_DIR: folder, CAIRN_PORT: '0' },
      stdio: 'ignore',
    })
    while (!postgresPid(folder)) await sleep(10)
    child.kill('SIGTERM')
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0)
    expect(postgresPid(folder)).toBeUndefined()
  })

  test('a wrong secret or database password is reported, and no process stays running', async () => {
    usedBefore()
    await expect(startProcess(folder, { settings: { CAIRN_SECRET: 'b'.repeat(40) } })).rejects.toThrow(
      'is not the one of this database',
    )
    await writeFile(join(folder, 'database', 'password'), 'x'.repeat(64))
    await expect(startProcess(folder)).rejects.toThrow('PostgreSQL refuses the password')
    expect(postgresPid(folder)).toBeUndefined()
  })

  test('of two started together on a new folder one serves', async () => {
    const outcomes = await Promise.allSettled([startProcess(folder), startProcess(folder)])
    const served = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    service = served[0]?.value
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await untilReady(service!.url)).toBe(true)
  })

  test('it starts again after a kill -9 of Cairn, taking over the PostgreSQL left behind', async () => {
    usedBefore()
    const first = await startProcess(folder)
    const pid = postgresPid(folder)
    first.child.kill('SIGKILL')
    await first.ended
    service = await startProcess(folder)
    expect(postgresPid(folder)).toBe(pid)
    expect(await untilReady(service.url)).toBe(true)
  })

  test('a running one starts PostgreSQL again after a kill -9 of it', async () => {
    usedBefore()
    service = await startProcess(folder)
    const pid = postgresPid(folder)!
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => [undefined, pid].includes(postgresPid(folder))).toBe(false)
    expect(await untilReady(service.url)).toBe(true)
  })

  test('all of it holds where the path is too long for a socket, and no folder of sockets stays behind', async () => {
    const sockets = () => readdirSync('/tmp').filter((name) => /^cairn-socket-/.test(name))
    const before = sockets()
    const long = join(folder, 'a-long-name'.repeat(10))
    const first = await startProcess(long)
    first.child.kill('SIGKILL')
    await first.ended
    service = await startProcess(long)
    const pid = postgresPid(long)!
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => [undefined, pid].includes(postgresPid(long))).toBe(false)
    expect(await untilReady(service.url)).toBe(true)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(postgresPid(long)).toBeUndefined()
    expect(sockets()).toEqual(before)
  })

  test('it starts again after a kill -9 of both', async () => {
    usedBefore()
    const first = await startProcess(folder)
    first.child.kill('SIGKILL')
    process.kill(postgresPid(folder)!, 'SIGKILL')
    await first.ended
    service = await startProcess(folder)
    expect(await untilReady(service.url)).toBe(true)
  })

  test.each(['npm itself', 'the whole group'])('SIGTERM to %s, when npm started it, ends it cleanly', async (whom) => {
    usedBefore()
    const settings = { CAIRN_PORT: String(await steadyPort()) }
    service = await startProcess(folder, { command: ['npm', 'start'], settings })
    const pid = service.child.pid!
    process.kill(whom === 'npm itself' ? pid : -pid, 'SIGTERM')
    await service.ended
    await expect.poll(() => postgresPid(folder)).toBeUndefined()
    await expect(fetch(service.url)).rejects.toThrow()
  })

  test.runIf(process.getuid?.() === 0)('as root, a data folder that is closed to others serves too', async () => {
    await chmod(folder, 0o700)
    service = await startProcess(folder)
    expect(await untilReady(service.url)).toBe(true)
    expect(postgresPid(folder)).toBeDefined()
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    service = await startProcess(folder)
    expect(await untilReady(service.url)).toBe(true)
  })
})

test('a setting that is not known is refused, and the nearest is named', () => {
  const { status, stderr } = spawnSync(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    env: { ...bareEnvironment(), CAIRN_PROT: '8081', CAIRN_SERVICE_HOST: 'put there by an orchestrator' },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain('CAIRN_PROT is not a setting of Cairn; the nearest is CAIRN_PORT')
  expect(stderr).not.toContain('CAIRN_SERVICE_HOST')
})
