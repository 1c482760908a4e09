import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { newKey, ObjectExists, type Objects } from '../../platform/storage/objects.ts'

/** The rules of objects in any storage.
 * @param unfinished the number of partial files */
export function objectsSuite(name: string, { objects, unfinished }: Deps) {
  const put = (content: string | Buffer, extension = 'txt') =>
    objects().put(Readable.from([Buffer.from(content)]), { extension })
  const textOf = async (key: string, range?: { start: number; end: number }) =>
    (await buffer((await objects().read(key, range))!)).toString()
  const keys = async () => (await allOf(objects().list())).map(({ key }) => key).sort()

  describe(`objects ${name}`, () => {
    test('reads back an object, whole or in part, and computes its size and hash while storing', async () => {
      const bytes = Buffer.from('a stone on a stone')
      const stored = await objects().put(Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]), { extension: 'TXT' })
      expect(stored).toMatchObject({ size: 18, sha256: createHash('sha256').update(bytes).digest('hex'), head: bytes })
      expect(stored.key).toMatch(/^[0-9a-f]{2}\/[\w-]{22}\.txt$/)
      expect(await textOf(stored.key)).toBe('a stone on a stone')
      expect(await textOf(stored.key, { start: 2, end: 6 })).toBe('stone')
      expect(await textOf(stored.key, { start: 13, end: 99 })).toBe('stone')
      expect(await objects().size(stored.key)).toBe(18)
      expect(objects().keyOf(objects().addressOf(stored.key))).toBe(stored.key)
      expect(await unfinished()).toBe(0)
    })

    test('stores an empty object, and one of many chunks', async () => {
      const nothing = await put('')
      expect([await objects().size(nothing.key), await textOf(nothing.key)]).toEqual([0, ''])
      const bytes = randomBytes(9 * 1024 * 1024 + 1)
      const stored = await objects().put(Readable.from([bytes.subarray(0, 77), bytes.subarray(77)]), {
        extension: 'bin',
      })
      expect((await buffer((await objects().read(stored.key))!)).equals(bytes)).toBe(true)
      expect(
        (await buffer((await objects().read(stored.key, { start: 70, end: 90 }))!)).equals(bytes.subarray(70, 91)),
      ).toBe(true)
    })

    test('stores one object under a reserved key, of any number of concurrent ones', async () => {
      const key = newKey('txt')
      const puts = Array.from({ length: 6 }, (_, i) =>
        objects().put(Readable.from([Buffer.from(`writer ${i}`)]), { key }),
      )
      const outcomes = await Promise.allSettled(puts)
      const kept = outcomes.filter(({ status }) => status === 'fulfilled')
      expect(kept).toHaveLength(1)
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ObjectExists)
      expect(await textOf(key)).toBe(`writer ${outcomes.indexOf(kept[0]!)}`)
      await expect(objects().put(Readable.from([Buffer.from('late')]), { key })).rejects.toBeInstanceOf(ObjectExists)
      expect(await unfinished()).toBe(0)
    })

    test('leaves nothing behind if a stream fails or exceeds the limit', async () => {
      const before = await keys()
      async function* broken() {
        yield Buffer.from('half')
        throw new Error('the client went away')
      }
      await expect(objects().put(broken(), { extension: '' })).rejects.toThrow('the client went away')
      const large = objects().put(Readable.from([Buffer.alloc(11)]), { extension: '', limit: 10 })
      await expect(large).rejects.toMatchObject({ status: 413 })
      expect([await keys(), await unfinished()]).toEqual([before, 0])
    })

    test('returns 507 on a full disk and leaves nothing behind', async () => {
      const before = await keys()
      async function* full() {
        yield Buffer.from('half')
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      }
      await expect(objects().put(full(), { extension: '' })).rejects.toMatchObject({ status: 507 })
      expect([await keys(), await unfinished()]).toEqual([before, 0])
    })

    test('finds no object for an invalid key', async () => {
      const { key } = await put('x')
      for (const other of ['../secret', '/etc/passwd', 'ab/../../../etc/passwd', 'ab/%2e%2e', `../${key}`, '']) {
        await expect(objects().read(other)).rejects.toMatchObject({ status: 404 })
        await expect(objects().size(other)).rejects.toMatchObject({ status: 404 })
        await expect(objects().remove(other)).rejects.toMatchObject({ status: 404 })
        await expect(objects().put(Readable.from([]), { key: other })).rejects.toMatchObject({ status: 404 })
      }
      const foreign = ['https://cairn.example/files/../secret', `https://elsewhere.example/files/${key}`]
      for (const address of foreign) expect(objects().keyOf(address)).toBeUndefined()
    })

    test('removes an object; removing it again is not an error', async () => {
      const { key } = await put('x')
      await objects().remove(key)
      await objects().remove(key)
      expect([await objects().read(key), await objects().size(key)]).toEqual([undefined, undefined])
      expect(await keys()).not.toContain(key)
    })

    test('lists every object with its size and time', async () => {
      const since = Date.now() - 5000
      const stored = await Promise.all(Array.from({ length: 20 }, (_, i) => put('x'.repeat(i))))
      const listed = new Map((await allOf(objects().list())).map((one) => [one.key, one]))
      for (const { key, size } of stored) {
        expect(listed.get(key)).toMatchObject({ size })
        expect(listed.get(key)!.writtenAt).toBeGreaterThan(since)
      }
      await objects().check()
    })

    test('closes everything if a reader stops in the middle, and tolerates an unread stream', async () => {
      const { key } = await put(randomBytes(4 * 1024 * 1024), 'bin')
      for (let i = 0; i < 20; i++) {
        const stream = (await objects().read(key))!
        for await (const piece of stream) if (piece.length > 0) break
        await expect.poll(() => stream.destroyed).toBe(true)
        ;(await objects().read(key))!.destroy()
      }
      expect(await objects().size(key)).toBe(4 * 1024 * 1024)
    })
  })
}

export async function allOf<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of all) found.push(one)
  return found
}

type Deps = { objects: () => Objects; unfinished: () => Promise<number> }
