// @module-tag long
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Fault } from '../../modules/files/objects/storage-check.ts'
import { buildersOn } from '../../test/builders.ts'
import { formOf } from '../../test/multipart.ts'
import { bareEnvironment, ROOT, startProcess } from '../../test/process.ts'
import { elsewhere, PUBLIC, SECRET } from '../../test/processes/restore-target.ts'
import { runCommandOn } from '../../test/run-command.ts'
import { type Caller, type Service, startService } from '../../test/service.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

/** Number of kills (CAIRN_TEST_KILLS=20), each after more files. */
const KILLS = Number(process.env.CAIRN_TEST_KILLS ?? 1)
const FILES = 400

let service: Service
let owner: Caller
let folder: string
let file: string
beforeAll(async () => {
  service = await startService({ CAIRN_PUBLIC_URL: PUBLIC })
  owner = await buildersOn(service).user({ name: 'owner' })
  for (let i = 0; i < FILES; i += 20) {
    const some = Array.from({ length: 20 }, (_, n) => ({ name: `${i + n}.txt`, bytes: Buffer.from(`file ${i + n}`) }))
    expect((await owner.post('/api/upload', formOf(...some))).status).toBe(200)
  }
  folder = await mkdtemp(join(tmpdir(), 'cairn-restore-kills-'))
  file = join(folder, 'all.tar')
  expect(await runCommandOn(service, ['backup', file])).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

/** Starts a restore, and kills it after that many files. */
async function killed(other: Awaited<ReturnType<typeof elsewhere>>, filesThere: number) {
  const child = spawn(process.execPath, ['server/cli.ts', 'restore', file], {
    cwd: ROOT,
    env: {
      ...bareEnvironment(),
      ...other.connected,
      CAIRN_SECRET: SECRET,
    },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const objects = join(other.dataDir, 'objects')
  const there = async () => (await readdir(objects, { recursive: true }).catch(() => [])).length
  while (child.exitCode === null && (await there()) < filesThere) await sleep(2)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
}

test('a database with a killed restore is not served, and the next restore completes it', async () => {
  const other = await elsewhere(service)
  const secret = { CAIRN_SECRET: SECRET }
  try {
    for (let kill = 1; kill <= KILLS; kill++) {
      await killed(other, Math.ceil((kill * 20) / KILLS))
      const started = startProcess(other.dataDir, { settings: { ...other.connected, ...secret } })
      started.then(({ child }) => child.kill('SIGKILL')).catch(() => {})
      await expect(started).rejects.toThrow('A restore into this database is incomplete')
    }
    expect(await other.restore([file], secret)).toMatchObject({ code: 0, err: '' })
    const restored = await other.start()
    try {
      const faults: Fault[] = []
      expect(await restored.app.checkStorage({ hashes: true, olderThanMs: 0 }, (fault) => faults.push(fault))).toBe(
        FILES,
      )
      expect(faults).toEqual([])
      expect((await restored.get('/api/v1/user', owner.headers)).body).toEqual((await owner.get('/api/v1/user')).body)
    } finally {
      await restored.stop()
    }
  } finally {
    await other.drop()
  }
})
