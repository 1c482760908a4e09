import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { ArchiveFault, readArchive } from './archive.ts'
import { type BackupCounts, COUNTS, FORMAT, type Manifest } from './backup.ts'

/** What a whole read of a backup found. */
export type CheckedBackup = {
  manifest: Manifest
  counts: BackupCounts
  /** Whether the backup says how much it contains: those of earlier releases do not. */
  isCounted: boolean
}

type OnProgress = (doing: string) => void

const NEWLINE = 10

/** Reads the whole backup and verifies its checksums and counts. @returns its manifest @throws ArchiveFault */
export const checkBackup = async (file: string, onProgress?: OnProgress): Promise<Manifest> =>
  (await checkArchive(createReadStream(file), onProgress)).manifest

/** Reads a whole backup from a stream, verifies its checksums, and counts rows, jobs and files. @throws ArchiveFault */
export async function checkArchive(from: Readable, onProgress: OnProgress = () => {}): Promise<CheckedBackup> {
  let manifest: Manifest | undefined
  let expected: BackupCounts | undefined
  const counts = newCounts()
  for await (const { name, size, bytes } of readArchive(from)) {
    if (!manifest) {
      manifest = await manifestIn(name, bytes)
      for (const table of manifest.tables) counts.rows[table.name] = 0
      continue
    }
    onProgress(`checking ${name}`)
    const [kind, table] = name.split('/')
    if (kind === 'database') counts.rows[table!] = (counts.rows[table!] ?? 0) + (await rowsIn(bytes))
    else if (kind === 'objects') {
      counts.objects++
      counts.objectBytes += size
    } else if (name === 'jobs.json') counts.jobs = ((await json(Readable.from(bytes))) as unknown[]).length
    else if (name === COUNTS) expected = (await json(Readable.from(bytes))) as BackupCounts
  }
  if (!manifest) throw new ArchiveFault('The backup is empty')
  if (expected) assertCounted(counts, expected)
  return { manifest, counts, isCounted: expected !== undefined }
}

export const newCounts = (): BackupCounts => ({ rows: {}, jobs: 0, objects: 0, objectBytes: 0 })

/** @throws ArchiveFault that names what there is more or less of than the backup says */
export function assertCounted(found: BackupCounts, expected: BackupCounts): void {
  for (const [table, rows] of Object.entries(expected.rows))
    assertEqual(`rows of the table ${table}`, found.rows[table] ?? 0, rows)
  assertEqual('jobs', found.jobs, expected.jobs)
  assertEqual('files', found.objects, expected.objects)
}

function assertEqual(what: string, found: number, expected: number): void {
  if (found !== expected) throw new ArchiveFault(`The backup is incomplete: ${found} ${what} instead of ${expected}`)
}

/** In COPY's text format a newline ends a row, and occurs nowhere else. */
async function rowsIn(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let rows = 0
  for await (const piece of bytes)
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) rows++
  return rows
}

async function manifestIn(name: string, bytes: AsyncIterable<Uint8Array>): Promise<Manifest> {
  if (name !== 'cairn.json') throw new ArchiveFault('This is not a Cairn backup')
  const manifest = (await json(Readable.from(bytes))) as Manifest
  if (manifest.format !== FORMAT)
    throw new Error(`The backup has format ${manifest.format}, but this release reads ${FORMAT}: use a newer Cairn`)
  return manifest
}
