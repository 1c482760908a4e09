import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { folderObjects } from './folder-objects.ts'
import type { Objects } from './objects.ts'

let folder: string
let objects: Objects
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-objects-'))
  objects = folderObjects({ folder, publicUrl: () => 'https://cairn.example' })
})

afterEach(() => rm(folder, { recursive: true }))

const filesIn = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

describe('objects in a folder', () => {
  test('what was put is read back, whole or in part, with its size and hash known on the way', async () => {
    const bytes = Buffer.from('a stone on a stone')
    const stored = await objects.put(Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]), { extension: 'TXT' })
    expect(stored).toMatchObject({ size: 18, sha256: createHash('sha256').update(bytes).digest('hex'), head: bytes })
    expect(stored.key).toMatch(/^[0-9a-f]{2}\/[\w-]{22}\.txt$/)
    expect(await buffer((await objects.read(stored.key))!)).toEqual(bytes)
    expect((await buffer((await objects.read(stored.key, { start: 2, end: 6 }))!)).toString()).toBe('stone')
    expect(objects.keyOf(objects.addressOf(stored.key))).toBe(stored.key)
  })

  test('a stream that breaks, or grows past the limit, leaves nothing behind', async () => {
    async function* broken() {
      yield Buffer.from('half')
      throw new Error('the client went away')
    }
    await expect(objects.put(broken(), { extension: '' })).rejects.toThrow('the client went away')
    await expect(objects.put(Readable.from([Buffer.alloc(11)]), { extension: '', limit: 10 })).rejects.toMatchObject({
      status: 413,
    })
    expect(await filesIn(folder)).toEqual([])
  })

  test('a key that was not made here reaches no file', async () => {
    for (const key of ['../secret', '/etc/passwd', 'ab/../../../etc/passwd', 'ab/%2e%2e', ''])
      await expect(objects.read(key)).rejects.toMatchObject({ status: 404 })
    for (const address of [
      'https://cairn.example/files/../secret',
      'https://elsewhere.example/files/ab/0123456789012345678901',
    ])
      expect(objects.keyOf(address)).toBeUndefined()
  })

  test('a removed object is gone, and removing it again is no fault', async () => {
    const { key } = await objects.put(Readable.from([Buffer.from('x')]), { extension: 'png' })
    await objects.remove(key)
    await objects.remove(key)
    expect(await objects.read(key)).toBeUndefined()
  })

  test('what a killed process left unfinished is swept away; whole objects and younger writes stay', async () => {
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

  test('a folder that was never written to has nothing to sweep', async () => {
    expect(await objects.sweep({ olderThanMs: 0 })).toBe(0)
  })
})
