import { latin1 } from '../bytes.ts'
import { ConversionError, malformed, unsupported } from '../errors.ts'
import { isObject, type JsonObject } from './json.ts'
import { limitJson } from './validation/json-limits.ts'

/** The chunks of a GLB: its parsed JSON, and its binary buffer as a view into the given bytes. */
export type Container = { json: JsonObject; binary: Uint8Array | undefined }

export type GlbCheck = { ok: true; version: number; length: number } | { ok: false; reason: string }

const headerLength = 12
const chunkHeaderLength = 8
const magic = 0x46546c67 // "glTF", little-endian
const jsonChunk = 0x4e4f534a
const binaryChunk = 0x004e4942

/**
 * Tells whether bytes are a well-formed GLB container: magic, version 2, complete length, and a JSON chunk that parses
 * and declares glTF 2.0. It does not inspect meshes or images, so it is cheap enough for uploads. Format: glTF 2.0 §4
 * "GLB File Format Specification".
 */
export function checkGlb(bytes: Uint8Array): GlbCheck {
  try {
    readGlbContainer(bytes)
    return { ok: true, version: 2, length: viewOf(bytes).getUint32(8, true) }
  } catch (error) {
    if (error instanceof ConversionError) return { ok: false, reason: error.message }
    throw error
  }
}

/**
 * Splits a GLB into its chunks. A .gltf consists of the JSON alone.
 * @throws ConversionError naming the problem and the chunk.
 */
export function readContainer(bytes: Uint8Array): Container {
  assertBytes(bytes)
  return startsLikeJson(bytes) ? { json: parseJson(bytes), binary: undefined } : readGlbContainer(bytes)
}

/** Validates the input of callers without TypeScript. */
function assertBytes(bytes: unknown): void {
  if (!(bytes instanceof Uint8Array)) throw malformed('The GLB must be a Uint8Array.')
}

function readGlbContainer(bytes: Uint8Array): Container {
  assertBytes(bytes)
  if (bytes.length < 4 || viewOf(bytes).getUint32(0, true) !== magic) {
    throw malformed(`The file is not a GLB, or a whole PLY, OBJ or STL: it ${describeStart(bytes)}.`)
  }
  if (bytes.length < headerLength) throw malformed('The GLB is cut off within its 12-byte header.')

  const version = viewOf(bytes).getUint32(4, true)
  if (version !== 2) throw unsupported(`The GLB has container version ${version}; only version 2 can be read.`)
  const length = viewOf(bytes).getUint32(8, true)

  const chunks = readChunks(bytes, length)
  const json = chunks[0]
  if (json?.type !== jsonChunk) throw malformed('The first chunk of the GLB is not its JSON chunk.')
  // Later versions of the format may add chunks; the binary buffer, if any, is the second.
  const binary = chunks[1]?.type === binaryChunk ? chunks[1].data : undefined
  return { json: parseJson(json.data), binary }
}

function readChunks(bytes: Uint8Array, length: number): { type: number; data: Uint8Array }[] {
  const view = viewOf(bytes)
  // Bytes after the declared length are not part of the GLB; missing ones are detected chunk by chunk.
  const end = Math.min(length, bytes.length)
  const chunks: { type: number; data: Uint8Array }[] = []
  for (let offset = headerLength; offset < end; ) {
    const number = chunks.length + 1
    if (offset + chunkHeaderLength > end) throw malformed(`The GLB is cut off in the header of chunk ${number}.`)
    const size = view.getUint32(offset, true)
    const type = view.getUint32(offset + 4, true)
    const start = offset + chunkHeaderLength
    if (start + size > end) {
      const name = type === jsonChunk ? 'JSON chunk' : type === binaryChunk ? 'binary chunk' : `chunk ${number}`
      throw malformed(`The GLB is cut off in its ${name}: ${end - start} of ${size} bytes are present.`)
    }
    chunks.push({ type, data: bytes.subarray(start, start + size) })
    offset = start + size
  }
  if (length > bytes.length) {
    throw malformed(`The GLB is cut off: its header says ${length} bytes, ${bytes.length} are there.`)
  }
  return chunks
}

function parseJson(data: Uint8Array): JsonObject {
  limitJson(data)
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data))
  } catch (error) {
    throw malformed('The JSON chunk of the GLB is not valid JSON.', { cause: error })
  }
  if (!isObject(json) || !isObject(json.asset)) throw malformed('The JSON chunk of the GLB has no "asset" object.')
  const { version, minVersion } = json.asset
  const needed = String(minVersion ?? version)
  if (!/^2\.\d+$/.test(String(version)) || (minVersion !== undefined && needed !== '2.0')) {
    throw unsupported(`The GLB is written in glTF ${needed}; only glTF 2.0 can be read.`)
  }
  return json
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Detects JSON after an optional byte order mark and white space. */
const startsLikeJson = (bytes: Uint8Array) => /^(\xef\xbb\xbf)?\s*\{/.test(latin1(bytes.subarray(0, 20)))

/** Identifies common mistakes, so that the sender knows what the file is. */
function describeStart(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'is empty'
  const start = latin1(bytes.subarray(0, 20))
  if (start.startsWith('\x89PNG')) return 'starts like a PNG image'
  if (start.startsWith('\xff\xd8\xff')) return 'starts like a JPEG image'
  if (start.startsWith('PK\x03\x04')) return 'starts like a ZIP archive'
  if (start.startsWith('Kaydara FBX')) return 'starts like an FBX model (export it as GLB)'
  if (start.startsWith('BLENDER')) return 'is a file of Blender (export it as GLB)'
  if (/^\s*<(!doctype html|html)/i.test(start)) return 'is a web page (perhaps a saved link or an error page)'
  if (start.startsWith('version https://git-')) return 'is a Git LFS pointer (fetch the model with `git lfs pull`)'
  if (startsLikeJson(bytes)) return 'starts like JSON (a .gltf must be packed into a .glb first)'
  return 'starts with other bytes'
}
