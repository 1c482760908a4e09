import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { diskSpace } from './disk-space.ts'

afterEach(() => vi.useRealTimers())

test('a folder that cannot be asked is asked again after a second, not for every write', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const parent = await mkdtemp(join(tmpdir(), 'cairn-disk-'))
  const folder = join(parent, 'missing')
  const free = diskSpace(folder)
  await expect(free()).rejects.toThrow(/ENOENT/)
  await mkdir(folder)
  await expect(free()).rejects.toThrow(/ENOENT/)
  vi.advanceTimersByTime(1001)
  expect(await free()).toBeGreaterThan(0)
  await rm(parent, { recursive: true })
})
