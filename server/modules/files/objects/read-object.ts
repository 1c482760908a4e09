import { hash } from 'node:crypto'
import { ObjectMissing, type Objects } from '../../../platform/storage/objects.ts'
import { WrongBytes } from '../../../platform/storage/verified-stream.ts'

type Stored = { key: string; size: number }

/** Reads all bytes of an object into a buffer. @throws WrongBytes if they do not match the known hash, or ObjectMissing */
export async function readWholeObject(objects: Objects, file: Stored & { sha256?: string }): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.size)
  await fill(objects, file, bytes, 0, file.size)
  if (file.sha256 && hash('sha256', bytes) !== file.sha256) throw new WrongBytes()
  return bytes
}

const HEADER = 12
const CHUNK_HEADER = 8
const JSON_CHUNK = 0x4e4f534a
/** A GLB has two chunks, rarely a few more. */
const MAX_CHUNKS = 16

/**
 * Reads what the check of a GLB container needs (header, JSON and chunk headers) into a buffer as long as the file. The
 * rest, nearly all of it, is not read and stays zero, so it takes no memory. Format: glTF 2.0 §4.
 */
export async function readGlbOutline(objects: Objects, file: Stored): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.size)
  const view = new DataView(bytes.buffer)
  await fill(objects, file, bytes, 0, HEADER)
  let at = HEADER
  for (let chunk = 0; at + CHUNK_HEADER <= file.size; chunk++) {
    if (chunk === MAX_CHUNKS) return readWholeObject(objects, file)
    await fill(objects, file, bytes, at, at + CHUNK_HEADER)
    const end = at + CHUNK_HEADER + view.getUint32(at, true)
    if (view.getUint32(at + 4, true) === JSON_CHUNK) await fill(objects, file, bytes, at + CHUNK_HEADER, end)
    at = end
  }
  return bytes
}

/** Copies bytes `start` to `end` (exclusive, or the end of the file) of the object to the same place in the buffer. */
async function fill(objects: Objects, { key, size }: Stored, bytes: Uint8Array, start: number, end: number) {
  if (start >= Math.min(end, size)) return
  const stream = await objects.read(key, { start, end: Math.min(end, size) - 1 })
  if (!stream) throw new ObjectMissing()
  let at = start
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  if (at !== Math.min(end, size)) throw new WrongBytes()
}
