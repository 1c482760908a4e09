import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeSuite, smallBackup } from '../../../test/content/place-suite.ts'
import { folderPlace } from './folder-place.ts'
import { fileNameAt } from './place.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-place-'))
})
afterAll(() => rm(folder, { recursive: true }))

placeSuite('in a folder', { place: () => folderPlace({ folder, reserve: 0 }), left: () => readdir(folder) })

test('a backup that turns out larger than expected ends before the disk is full', async () => {
  const { store } = folderPlace({ folder, reserve: 2 ** 50 })
  const stored = store(fileNameAt(Date.now()), {
    write: smallBackup(40 * 2 ** 20),
    verify: async () => {},
    expectedBytes: 0,
    signal: new AbortController().signal,
  })
  await expect(stored).rejects.toThrow('too little free space')
  expect(await readdir(folder)).toEqual([])
})
