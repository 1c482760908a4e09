import { createHash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'

/**
 * A tar file (POSIX ustar) with its own checksums: after some entries comes a list of their names, sizes and SHA-256
 * (`checksums/…json`), and at the end the SHA-256 over all lists (`end.json`). So writer and reader hold at most one
 * list, however many entries there are.
 */
type Listed = { name: string; size: number; sha256: string }
type End = { entries: number; bytes: number; sha256: string }

const LISTED_AT_ONCE = 1000
/** Larger pieces would hold up the requests of this process while they are hashed. */
const PIECE_BYTES = 256 * 1024
const END = 'end.json'
const isList = (name: string) => /^checksums\/\d+\.json$/.test(name)

export type ArchiveWriter = ReturnType<typeof archiveWriter>

/** Writes entries one after the other, with backpressure. */
export function archiveWriter(to: Writable) {
  const pack = tar.pack()
  const flowing = pipeline(pack as unknown as Readable, to)
  // The next write reports the error.
  flowing.catch(() => {})
  const lists = createHash('sha256')
  let listed: Listed[] = []
  let count = 0
  const end: End = { entries: 0, bytes: 0, sha256: '' }

  async function write(name: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const hash = createHash('sha256')
    let written = 0
    const entry = pack.entry({ name, size, mode: 0o600 })
    const failed = new Promise<never>((_resolve, reject) => entry.once('error', reject))
    failed.catch(() => {})
    for await (const piece of bytes) {
      written += piece.length
      if (written > size) break
      hash.update(piece)
      if (!entry.write(piece))
        await Promise.race([new Promise<void>((resolve) => entry.once('drain', () => resolve())), failed, flowing])
    }
    if (written !== size) throw new Error(`${name} does not have the expected ${size} bytes`)
    const ended = new Promise<void>((resolve) => entry.once('close', () => resolve()))
    entry.end(undefined)
    await Promise.race([ended, failed, flowing])
    return hash.digest('hex')
  }

  async function* once(bytes: Uint8Array) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
  }

  async function list(): Promise<void> {
    if (listed.length === 0) return
    const bytes = Buffer.from(JSON.stringify(listed))
    lists.update(bytes)
    listed = []
    await write(`checksums/${String(++count).padStart(8, '0')}.json`, bytes.length, once(bytes))
  }

  return {
    /** @throws if there are more or fewer bytes than `size` */
    async add(name: string, size: number, bytes: AsyncIterable<Uint8Array>): Promise<void> {
      const sha256 = await write(name, size, bytes)
      listed.push({ name, size, sha256 })
      end.entries++
      end.bytes += size
      if (listed.length >= LISTED_AT_ONCE) await list()
    },
    addWhole(name: string, bytes: Uint8Array): Promise<void> {
      return this.add(name, bytes.length, once(bytes))
    },
    async finish(): Promise<End> {
      await list()
      end.sha256 = lists.digest('hex')
      const bytes = Buffer.from(JSON.stringify(end))
      await write(END, bytes.length, once(bytes))
      pack.finalize()
      await flowing
      return end
    },
    /** Destroys the output. */
    abort(error: Error): void {
      pack.destroy(error)
    },
  }
}

/** The archive is damaged, or not an archive. */
export class ArchiveFault extends Error {}

export type ArchiveEntry = { name: string; size: number; bytes: AsyncIterable<Uint8Array> }

/**
 * The entries of an archive in order; unread ones are skipped. Each list is compared with what was read. @throws
 * ArchiveFault as soon as something differs, and if the end is missing
 */
export async function* readArchive(from: Readable): AsyncGenerator<ArchiveEntry> {
  const extract = tar.extract()
  const flowing = pipeline(from, extract as unknown as Writable).catch((error: Error) => error)
  const lists = createHash('sha256')
  let read: Listed[] = []
  let end: End | undefined
  const seen = { entries: 0, bytes: 0 }
  try {
    for await (const entry of extract) {
      const { name, size = 0 } = entry.header
      if (end) throw new ArchiveFault('The backup has data after its end')
      if (isList(name) || name === END) {
        const said = await text(entry as unknown as Readable)
        if (name === END) end = JSON.parse(said) as End
        else {
          compare(JSON.parse(said) as Listed[], read)
          lists.update(said)
          read = []
        }
        continue
      }
      const hash = createHash('sha256')
      const bytes = hashed(entry as unknown as AsyncIterable<Uint8Array>, hash)
      yield { name, size, bytes }
      for await (const _rest of bytes);
      read.push({ name, size, sha256: hash.digest('hex') })
      seen.entries++
      seen.bytes += size
    }
  } catch (error) {
    if (error instanceof ArchiveFault || !isOfTar(error as Error)) throw error
    throw unreadable(error as Error)
  }
  const failed = await flowing
  if (failed instanceof Error && !end)
    throw new ArchiveFault(`The backup cannot be read to its end (${failed.message})`)
  if (!end) throw new ArchiveFault('The backup has no end: it is truncated, or not a backup')
  if (read.length > 0 || end.entries !== seen.entries || end.bytes !== seen.bytes || end.sha256 !== lists.digest('hex'))
    throw new ArchiveFault('The backup is incomplete: its end does not match its content')
}

async function* hashed(entry: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  try {
    for await (const piece of entry) {
      hash.update(piece)
      yield piece
    }
  } catch (error) {
    throw unreadable(error as Error)
  }
}

const unreadable = ({ message }: Error) =>
  new ArchiveFault(`The backup cannot be read to its end (${message}): it is truncated or damaged, or not a backup`)

function compare(said: Listed[], read: Listed[]): void {
  if (said.length !== read.length) throw new ArchiveFault('The backup is incomplete: entries are missing')
  said.forEach((one, index) => {
    const found = read[index]!
    if (one.name !== found.name) throw new ArchiveFault(`The backup is incomplete: "${one.name}" is not in its place`)
    if (one.size !== found.size || one.sha256 !== found.sha256)
      throw new ArchiveFault(`The backup is damaged: "${one.name}" differs from what was written`)
  })
}

/** Errors of the tar reader and JSON for invalid bytes. */
const isOfTar = (error: Error) =>
  error instanceof SyntaxError || /tar|header|unexpected end|premature/i.test(error.message)
