import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { killedService } from '../../test/processes/killed-service.ts'
import {
  processesOf,
  processStatusOf,
  sendProfileImage,
  sendRelocalizationPhoto,
} from '../../test/sandbox-processes.ts'
import { type Caller, callerAt } from '../../test/service.ts'

// Skipped without /proc, which shows the libraries of processes.
describe.runIf(existsSync('/proc/self/maps'))('untrusted images', () => {
  let service: Awaited<ReturnType<typeof killedService>>
  let user: Caller
  beforeAll(async () => {
    service = await killedService()
    user = callerAt(service.url(), { authorization: `Bearer ${service.token}` })
  })
  afterAll(() => service.stop())

  test('are decoded in a sandboxed process: the service itself never loads a decoder', { tags: ['long'] }, async () => {
    await sendProfileImage(user, (headers) => callerAt(service.url(), headers))
    await sendRelocalizationPhoto(user)
    const decoders = processesOf(service.pid(), 'image-process.ts')
    expect(decoders.length).toBeGreaterThan(0)
    for (const { loaded } of decoders) expect(loaded).toMatch(/libvips/)
    expect(processStatusOf(service.pid()).loaded).not.toMatch(/libvips|sharp/)
    expect(readdirSync(join(service.folder, 'incoming-images'))).toEqual([])
  })
})
