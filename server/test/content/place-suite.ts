import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { archiveWriter } from '../../platform/backup/archive.ts'
import { checkArchive } from '../../platform/backup/check.ts'
import { type BackupPlace, fileNameAt, type Storing } from '../../platform/backup/places/place.ts'

const NOW = Date.parse('2026-01-31T02:00:00Z')

/** A backup without rows, with one file of this many bytes. */
export const smallBackup = (bytes: number) => async (to: Writable) => {
  const archive = archiveWriter(to)
  const manifest = { format: 1, madeAt: new Date(NOW).toISOString(), tables: [], migrations: [], sequences: {} }
  await archive.addWhole('cairn.json', Buffer.from(JSON.stringify(manifest)))
  await archive.addWhole('objects/aa/file.bin', Buffer.alloc(bytes, 7))
  return archive.finish()
}

/** What every place of backups promises. @param left names of all that is there, also of what is unfinished */
export function placeSuite(kind: string, { place, left }: { place: () => BackupPlace; left: () => Promise<string[]> }) {
  const file = fileNameAt(NOW)
  const store = (parts: Partial<Storing<unknown>> = {}, at = NOW) =>
    place().store(fileNameAt(at), {
      write: smallBackup(1000),
      verify: checkArchive,
      expectedBytes: 1000,
      signal: new AbortController().signal,
      ...parts,
    })

  describe(`backups ${kind}`, () => {
    test('can be written, read and deleted, and leave nothing of the check', async () => {
      await place().probe()
      expect(await left()).toEqual([])
    })

    test('have their name once they are verified, and are read as they were written', async () => {
      const seen: string[][] = []
      const { bytes } = await store({
        verify: async (from: Readable) => {
          seen.push(await left())
          await checkArchive(from)
        },
      })
      expect([seen, await left()]).toEqual([[[`${file}.partial`]], [file]])
      expect(await place().list()).toEqual([{ file, at: NOW, bytes }])
      const read = await buffer(await place().read(file))
      expect(read.length).toBe(bytes)
      await place().remove(file)
      expect(await left()).toEqual([])
    })

    test('that are not whole when read back are removed, with the reason, and others stay', async () => {
      await store({}, NOW - 1000)
      const damaged = async (to: Writable) => {
        to.end('this is no archive, though it has been written to its end')
        await finished(to)
      }
      await expect(store({ write: damaged })).rejects.toThrow(/not a backup/)
      expect(await left()).toEqual([fileNameAt(NOW - 1000)])
      await place().remove(fileNameAt(NOW - 1000))
    })

    test('that are interrupted leave nothing', async () => {
      const stop = new AbortController()
      const endless = async (to: Writable): Promise<void> => {
        const ended = finished(to)
        ended.catch(() => {})
        for (let written = 0; ; written++) {
          if (written === 1000) stop.abort(new Error('The process is stopping'))
          if (stop.signal.aborted) throw stop.signal.reason
          if (!to.write(Buffer.alloc(64 * 1024))) await Promise.race([once(to, 'drain'), ended])
        }
      }
      await expect(store({ write: endless, signal: stop.signal })).rejects.toThrow()
      expect(await left()).toEqual([])
    })

    test('that a killed process left unfinished are swept away; finished ones stay', async () => {
      await store()
      const never = new AbortController()
      const writing = store(
        {
          write: async (to) => {
            // More than one part on S3.
            to.write(Buffer.alloc(20 * 2 ** 20))
            await once(never.signal, 'abort')
            throw new Error('ended')
          },
        },
        NOW + 1000,
      )
      writing.catch(() => {})
      const unfinished = async () => (await left()).filter((name) => name.endsWith('.partial'))
      await expect.poll(unfinished).toHaveLength(1)
      await place().sweep()
      expect(await unfinished()).toEqual([])
      expect(await place().list()).toHaveLength(1)
      never.abort()
      await expect(writing).rejects.toThrow()
      await place().remove(file)
    })
  })
}
