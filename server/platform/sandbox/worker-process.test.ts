import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { ANSWER, BOAST, ECHO, EXIT, FILL, LOOP, THROW, TRESPASS } from '../../test/processes/work-script.ts'
import { readSecret } from '../credentials/secrets.ts'
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts'

const script = new URL('../../test/processes/work-script.ts', import.meta.url)
type Told = {
  width: number
  write?: string
  read?: string
  list?: string
  program?: string
  environment?: string[]
  echo?: object
}

const started: WorkerProcess<object, Told>[] = []
const start = async () => {
  const work = await startWorkerProcess<object, Told>(script, { heapMegabytes: 32 })
  started.push(work)
  return work
}
afterEach(() => Promise.all(started.splice(0).map((work) => work.end())))

const task = (what: number, rest: Uint8Array | string = '') => new Uint8Array([what, ...Buffer.from(rest)])
/** Treats a zombie as ended. */
const isThere = (pid: number) => {
  try {
    if (!process.kill(pid, 0)) return false
    return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${Math.abs(pid)}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('returns what it is sent, of any size', { tags: ['long'] }, async () => {
  const work = await start()
  for (const size of [0, 1, 65_536, 30_000_000]) {
    const sent = new Uint8Array([ECHO, ...(size < 1e6 ? randomBytes(size) : [])])
    const large = size < 1e6 ? sent : Buffer.alloc(size, ECHO)
    const { head, bytes } = await work.ask({ größe: size }, large, 20)
    expect(head).toEqual({ echo: { größe: size } })
    expect(Buffer.compare(bytes, large)).toBe(0)
  }
})

test.each([
  ['loops', LOOP, 'late', 'SIGKILL'],
  ['throws', THROW, 'fault', 'a fault'],
  ['ends', EXIT, 'fault', 'code 7'],
  ['fills its memory', FILL, 'memory', 'SIGABRT'],
  ['declares a larger answer than allowed', BOAST, 'fault', 'too large'],
])('a process that %s ends, with the reason', async (_, what, why, message) => {
  const work = await start()
  const { head } = await work.ask({}, task(ANSWER), 20)
  const seconds = what === LOOP ? 0.2 : 20
  await expect(work.ask({}, task(what), seconds)).rejects.toMatchObject({
    why,
    message: expect.stringContaining(message),
  })
  expect(isThere(head.width)).toBe(false)
})

test('can neither write files nor start programs, and has no settings of the service', async () => {
  process.env.CAIRN_TEST_PLANTED = 'secret'
  const file = join(tmpdir(), `cairn-trespass-${process.pid}`)
  const { head } = await (await start()).ask({}, task(TRESPASS, `${file}\n${file}`), 20)
  expect(head).toMatchObject({ write: 'ERR_ACCESS_DENIED', program: 'ERR_ACCESS_DENIED' })
  expect(head.environment).not.toContain('CAIRN_TEST_PLANTED')
  expect(existsSync(file)).toBe(false)
  delete process.env.CAIRN_TEST_PLANTED
})

test.each([
  ['elsewhere', tmpdir()],
  ['beside the code, where it is unless said otherwise', fileURLToPath(new URL('../../..', import.meta.url))],
])('cannot read the secret in a data folder %s', async (_, where) => {
  const folder = mkdtempSync(join(where, 'data-'))
  try {
    readSecret(undefined, folder)
    const secret = join(folder, 'secret')
    const { head } = await (await start()).ask({}, task(TRESPASS, `${secret}\n${secret}`), 20)
    expect(head).toMatchObject({ read: 'ERR_ACCESS_DENIED', list: 'ERR_ACCESS_DENIED' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('can read a folder granted to it, under its name, and nothing beside it', async () => {
  const [folder, beside] = [mkdtempSync(join(tmpdir(), 'grids-')), mkdtempSync(join(tmpdir(), 'beside-'))]
  for (const place of [folder, beside]) {
    // If root runs the test, the process has another account.
    chmodSync(place, 0o755)
    writeFileSync(join(place, 'file'), 'a text')
  }
  const work = await startWorkerProcess<object, Told>(script, { heapMegabytes: 32, folders: { CAIRN_GRIDS: folder } })
  started.push(work)
  try {
    const look = async (read: string) =>
      (await work.ask({}, task(TRESPASS, `${join(folder, 'new')}\n${read}`), 20)).head
    expect(await look(join(folder, 'file'))).toMatchObject({ read: 'a text', list: 'file', write: 'ERR_ACCESS_DENIED' })
    expect(await look(join(beside, 'file'))).toMatchObject({ read: 'ERR_ACCESS_DENIED', list: 'ERR_ACCESS_DENIED' })
    expect((await look(folder)).environment).toContain('CAIRN_GRIDS')
  } finally {
    for (const place of [folder, beside]) rmSync(place, { recursive: true })
  }
})

test('is in a group of its own: Ctrl-C ends the service first, which lets running work finish', async () => {
  const { head } = await (await start()).ask({}, task(ANSWER), 20)
  expect(isThere(-head.width)).toBe(true)
})

test('ends with its parent process, also during a task', { tags: ['long'] }, async () => {
  const parent = `
    import { startWorkerProcess } from ${JSON.stringify(new URL('./worker-process.ts', import.meta.url).href)}
    const start = () => startWorkerProcess(new URL(${JSON.stringify(script.href)}), { heapMegabytes: 32 })
    for (const what of [${LOOP}, ${ANSWER}]) {
      const work = await start()
      const { head } = await work.ask({}, new Uint8Array([${ANSWER}]), 60)
      console.log(head.width)
      void work.ask({}, new Uint8Array([what]), 60)
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', parent], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (data) => {
    said += data
  })
  await expect.poll(() => said.trim().split('\n').length).toBe(2)
  const pids = said.trim().split('\n').map(Number)
  expect(pids.every(isThere)).toBe(true)
  child.kill('SIGKILL')
  await expect.poll(() => pids.filter(isThere)).toEqual([])
})
