import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { allOf, objectsSuite } from '../../../test/content/objects-suite.ts'
import type { Objects } from '../objects.ts'
import { folderObjects } from './folder-objects.ts'

let folder: string
let objects: Objects
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-objects-'))
  objects = folderObjects({ folder, publicUrl: () => 'https://cairn.example' })
})
afterEach(() => rm(folder, { recursive: true }))

objectsSuite('in a folder', {
  objects: () => objects,
  unfinished: async () => (await readdir(join(folder, 'partial')).catch(() => [])).length,
})

test('deletes unfinished writes of a killed process, and keeps whole objects and recent writes', async () => {
  const { key } = await objects.put(Readable.from([Buffer.from('whole')]), { extension: 'txt' })
  const hourAgo = new Date(Date.now() - 3_600_000)
  await writeFile(join(folder, 'partial', 'ab-old'), 'half')
  await utimes(join(folder, 'partial', 'ab-old'), hourAgo, hourAgo)
  await writeFile(join(folder, 'partial', 'ab-new'), 'half')
  expect(await objects.sweep({ olderThanMs: 1_800_000 })).toBe(1)
  expect(await readdir(join(folder, 'partial'))).toEqual(['ab-new'])
  expect(await objects.sweep({ olderThanMs: 0 })).toBe(1)
  expect(await readdir(join(folder, 'partial'))).toEqual([])
  expect(await objects.size(key)).toBe(5)
})

test('reads an object to its end even if it is deleted during the read', async () => {
  const { key } = await objects.put(Readable.from([Buffer.from('whole')]), { extension: 'txt' })
  const bytes = (await objects.read(key))!
  await objects.remove(key)
  await sleep(20)
  expect((await buffer(bytes)).toString()).toBe('whole')
  expect(await objects.read(key)).toBeUndefined()
})

test('a folder without writes has nothing to sweep or list', async () => {
  expect(await objects.sweep({ olderThanMs: 0 })).toBe(0)
  expect(await allOf(objects.list())).toEqual([])
})

test('closes the source stream even if nothing can be written', async () => {
  const path = join(folder, 'partial')
  await writeFile(path, 'a file where a folder should be')
  const bytes = createReadStream(path)
  await expect(objects.put(bytes, { extension: 'bin' })).rejects.toThrow()
  await expect.poll(() => bytes.closed).toBe(true)
})
