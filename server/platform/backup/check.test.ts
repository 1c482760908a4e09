import { PassThrough, type Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { ArchiveFault, archiveWriter } from './archive.ts'
import { type BackupCounts, COUNTS } from './backup.ts'
import { checkArchive } from './check.ts'

/** A backup of one table with two rows in two parts, and of one file. */
function backup(counts?: BackupCounts): Readable {
  const to = new PassThrough({ highWaterMark: 2 ** 20 })
  const archive = archiveWriter(to)
  const add = (name: string, content: unknown) =>
    archive.addWhole(name, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)))
  const written = async () => {
    await add('cairn.json', { format: 1, tables: [{ name: 'pins', columns: ['id', 'title'] }] })
    await add('database/pins/00000001.copy', '1\ta\\nline\n')
    await add('database/pins/00000002.copy', '2\tb\n')
    await add('jobs.json', [{}, {}, {}])
    await add('objects/aa/file.bin', 'four')
    if (counts) await add(COUNTS, counts)
    await archive.finish()
  }
  written().catch((error: Error) => to.destroy(error))
  return to
}
const whole: BackupCounts = { rows: { pins: 2 }, jobs: 3, objects: 1, objectBytes: 4 }

test('a backup with as many rows, jobs and files as it says is whole; one of an earlier release does not say', async () => {
  expect(await checkArchive(backup(whole))).toMatchObject({ counts: whole, isCounted: true })
  expect(await checkArchive(backup())).toMatchObject({ counts: whole, isCounted: false })
})

test.each<[string, Partial<BackupCounts>]>([
  ['2 rows of the table pins instead of 3', { rows: { pins: 3 } }],
  ['0 rows of the table zones instead of 1', { rows: { pins: 2, zones: 1 } }],
  ['3 jobs instead of 4', { jobs: 4 }],
  ['1 files instead of 2', { objects: 2 }],
])('one that lacks something is refused, though its sums are right: %s', async (sentence, wrong) => {
  const checked = checkArchive(backup({ ...whole, ...wrong }))
  await expect(checked).rejects.toThrow(`The backup is incomplete: ${sentence}`)
  await expect(checked).rejects.toBeInstanceOf(ArchiveFault)
})
