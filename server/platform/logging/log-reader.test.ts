// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanUp, newFolder, type ServiceProcess, startProcess } from '../../test/process.ts'

let folder: string
let service: ServiceProcess
beforeAll(async () => {
  folder = await newFolder()
  service = await startProcess(folder, {
    settings: { CAIRN_LOG_LEVEL: 'info', CAIRN_LIMIT_ADDRESS_PER_MINUTE: '1000000' },
  })
})
afterAll(() => cleanUp(folder, service))

/** More lines than an unread pipe holds. */
const REQUESTS = 6000
const logged = () => service.output().split('"route":"/.well-known/jwks.json"').length - 1

test('requests are served while the log is not read, and no line is missing afterwards', async () => {
  service.child.stdout!.pause()
  const signal = AbortSignal.timeout(60_000)
  for (let sent = 0; sent < REQUESTS; sent += 100)
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        const answer = await fetch(`${service.url}/.well-known/jwks.json`, { signal })
        expect(answer.status).toBe(200)
        await answer.arrayBuffer()
      }),
    )
  expect(logged()).toBeLessThan(REQUESTS)
  service.child.stdout!.resume()
  await expect.poll(logged).toBe(REQUESTS)
})

test('lines logged before the end are written', async () => {
  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
  await expect.poll(() => service.output()).toContain('"msg":"stopping"')
})
