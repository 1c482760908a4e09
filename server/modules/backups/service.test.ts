import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folderPlace } from '../../platform/backup/places/folder-place.ts'
import { fileNameAt } from '../../platform/backup/places/place.ts'
import { createLog } from '../../platform/logging/log.ts'
import { smallBackup } from '../../test/content/place-suite.ts'
import { backupService } from './service.ts'
import type { BackupState, BackupStore } from './store.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-01-31T02:00:00Z')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-service-'))
  await writeFile(join(folder, fileNameAt(NOW - 40 * DAY)), 'an old one')
  await writeFile(join(folder, fileNameAt(NOW - 50 * DAY)), 'an older one')
})
afterEach(() => rm(folder, { recursive: true }))

/** Makes one backup of what `write` writes. @returns the files that are there then, and the failure */
async function made(
  write: (to: Writable) => Promise<unknown>,
  keep: { count: number; days: number | undefined },
  beforeAlone: Partial<BackupState> = {},
) {
  const state: BackupState = { triedAt: null, success: null, failure: null, isRunning: false }
  const store: BackupStore = {
    read: async () => state,
    start: async () => {},
    succeed: async (success) => Object.assign(state, { success }) && undefined,
    fail: async (at, message) => Object.assign(state, { failure: { at, message } }) && undefined,
    forget: async () => {},
    expectedBytes: async () => 0,
  }
  const service = backupService({
    store,
    place: folderPlace({ folder, reserve: 0 }),
    everyMs: DAY,
    keep,
    alone: async (work) => {
      Object.assign(state, beforeAlone)
      await work()
      return true
    },
    write: async (to) => {
      await write(to)
      return { tables: 0, rows: 0, jobs: 0, objects: 0, objectBytes: 0, missing: 0, bytes: 0 }
    },
    clock: { now: () => NOW },
    log: createLog('silent'),
  })
  await service.look()
  return { files: (await readdir(folder)).toSorted(), failure: state.failure?.message }
}

test('what cannot be read back as a backup is a failure, and old ones stay, also those that would be deleted', async () => {
  const half = async (to: Writable) => {
    to.end(Buffer.alloc(2048, 'x'))
    await finished(to)
  }
  const { files, failure } = await made(half, { count: 1, days: 30 })
  expect(failure).toMatch(/not a backup/)
  expect(files).toEqual([fileNameAt(NOW - 50 * DAY), fileNameAt(NOW - 40 * DAY)])
})

test('a whole one replaces those beyond the count and those that are too old', async () => {
  expect(await made(smallBackup(10), { count: 2, days: undefined })).toEqual({
    files: [fileNameAt(NOW - 40 * DAY), fileNameAt(NOW)],
    failure: undefined,
  })
  expect((await made(smallBackup(10), { count: 100, days: 30 })).files).toEqual([fileNameAt(NOW)])
})

test('none is made if another process has made one since this one found it due', async () => {
  const success = { at: NOW, seconds: 1, bytes: 1, place: '/a' }
  const { files } = await made(smallBackup(10), { count: 9, days: undefined }, { triedAt: NOW - 1, success })
  expect(files).not.toContain(fileNameAt(NOW))
})
