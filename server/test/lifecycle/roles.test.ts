// @module-tag long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProcessRegistry, lockOutProcesses } from '../../platform/database/locks/process-registry.ts'
import { convertBy } from '../content/conversions.ts'
import { boxGlb } from '../content/glb.ts'
import { createTestDatabase } from '../database.ts'
import { cleanUp, newFolder, type ServiceProcess, startProcess } from '../process.ts'
import { startSecondService } from '../second-service.ts'
import { type Service, startService } from '../service.ts'

describe('an api process with a worker beside it', () => {
  let api: Service
  beforeAll(async () => {
    api = await startService({ CAIRN_ROLE: 'api' })
  })
  afterAll(() => api.stop())

  const startWorker = () => startSecondService(api, { CAIRN_ROLE: 'worker' })

  test('the api process takes no job; the worker does what is asked there, at once', async () => {
    const sent = convertBy(api.anonymous, { name: 'one.glb', bytes: boxGlb() })
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const worker = await startWorker()
    try {
      const { status, body } = await sent
      expect(status).toBe(200)
      expect(body.convertedFile).toMatchObject({ fileType: 'USDZ' })
    } finally {
      await worker.stop()
    }
  })

  test('a worker serves only health checks and metrics', async () => {
    const worker = await startWorker()
    try {
      const status = async (path: string) => (await worker.as({}).get(path)).status
      expect(await status('/healthz')).toBe(200)
      expect(await status('/readyz')).toBe(200)
      expect(await status('/metrics')).toBe(200)
      expect(await status('/api/v1/apps/public')).toBe(404)
      expect(await status('/docs')).toBe(404)
    } finally {
      await worker.stop()
    }
  })
})

describe('whether a process is alone', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  test('is true for exactly one of those that start together, and false while another runs: no work of a live process is repeated', async () => {
    const [one, two, three] = [1, 2, 3].map(() => createProcessRegistry(database.url, 'all'))
    const first = await Promise.all([one!.join(), two!.join()])
    expect(first.toSorted()).toEqual([false, true])
    await one!.leave()
    expect(await three!.join()).toBe(false)
    await two!.leave()
    await three!.leave()
    const last = createProcessRegistry(database.url, 'all')
    expect(await last.join()).toBe(true)
    await last.leave()
  })

  test('a lockout is refused while a process runs, and no process starts during a lockout', async () => {
    const one = createProcessRegistry(database.url, 'all')
    await one.join()
    await expect(lockOutProcesses(database.url)).rejects.toThrow('A Cairn is running on this database')
    await one.leave()
    const release = await lockOutProcesses(database.url)
    await expect(createProcessRegistry(database.url, 'all').join()).rejects.toThrow('A backup is being restored')
    await release()
  })
})

describe('processes', () => {
  let folder: string
  const running: ServiceProcess[] = []
  beforeAll(async () => {
    folder = await newFolder()
  })
  afterAll(() => cleanUp(folder, ...running))

  test('a worker joins a service that runs, ends by SIGTERM alone, and without one says what to start', async () => {
    const settings = { CAIRN_ROLE: 'worker' }
    await expect(startProcess(folder, { settings })).rejects.toThrow('A worker needs a running Cairn')
    const service = await startProcess(folder)
    const worker = await startProcess(folder, { settings })
    running.push(service, worker)
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200)
    worker.child.kill('SIGTERM')
    expect(await worker.ended).toBe(0)
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })
})
