import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'

/** What a map needs to know of an archive. Bounds are in degrees. */
export type PmtilesInfo = {
  minZoom: number
  maxZoom: number
  bounds: [west: number, south: number, east: number, north: number]
  attribution: string | null
}

/** A file that cannot be the basemap. The message says why, as the end of a sentence that begins with the file. */
export class UnusableArchive extends Error {}

const HEADER_BYTES = 127
/** The specification keeps header and root directory within the first 16 KiB. */
const MAX_ROOT_BYTES = 16_384
const MAX_METADATA_BYTES = 4 * 1024 * 1024
const NONE = 1
const GZIP = 2
const MVT = 1
/** Layers of the Protomaps basemap without which there are no streets on land. */
const NEEDED_LAYERS = ['earth', 'water', 'roads']

const Metadata = z.looseObject({
  attribution: z.string().max(2000).optional().catch(undefined),
  vector_layers: z.array(z.looseObject({ id: z.string(), fields: z.record(z.string(), z.unknown()).optional() })),
})

/**
 * Reads the header and metadata of a PMTiles archive (version 3 of the specification), and checks that its tiles are
 * those of the Protomaps basemap. @throws UnusableArchive
 */
export async function readPmtiles(path: string): Promise<PmtilesInfo> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnusableArchive(error.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${error.message}`)
  })
  try {
    return await readInfo(file)
  } finally {
    await file.close()
  }
}

async function readInfo(file: FileHandle): Promise<PmtilesInfo> {
  const { size } = await file.stat()
  const header = await bytesAt(file, 0, HEADER_BYTES)
  if (header.toString('latin1', 0, 7) !== 'PMTiles') throw new UnusableArchive('is not a PMTiles archive')
  if (header[7] !== 3)
    throw new UnusableArchive(
      `is a PMTiles archive of version ${header[7]}: convert it to version 3 with "pmtiles convert"`,
    )
  const parts = [8, 24, 40, 56].map((at) => ({ offset: wholeAt(header, at), length: wholeAt(header, at + 8) }))
  const [root, metadata] = parts as [Part, Part]
  if (parts.some(({ offset, length }) => offset + length > size)) throw new UnusableArchive('ends early: copy it again')
  if (header[99] !== MVT) throw new UnusableArchive('has no vector tiles: its tiles are pictures')
  const [internal, tiles] = [header[97]!, header[98]!]
  if (![internal, tiles].every((one) => one === NONE || one === GZIP))
    throw new UnusableArchive('is compressed in a way that browsers do not read: it must be gzip or none')
  if (root.length > MAX_ROOT_BYTES || metadata.length > MAX_METADATA_BYTES)
    throw new UnusableArchive('has a damaged header')
  await plainBytes(file, root, internal)
  const about = parseMetadata(await plainBytes(file, metadata, internal))
  const degrees = (at: number) => header.readInt32LE(at) / 1e7
  return {
    minZoom: header[100]!,
    maxZoom: header[101]!,
    bounds: [degrees(102), degrees(106), degrees(110), degrees(114)],
    attribution: about.attribution ?? null,
  }
}

type Part = { offset: number; length: number }

function parseMetadata(bytes: Buffer) {
  const parsed = Metadata.safeParse(jsonIn(bytes))
  if (!parsed.success) throw new UnusableArchive('has no metadata that lists its layers')
  const layers = parsed.data.vector_layers
  const missing = NEEDED_LAYERS.filter((name) => !layers.some(({ id }) => id === name))
  if (missing.length > 0)
    throw new UnusableArchive(`does not follow the Protomaps schema: it has no layer "${missing[0]}"`)
  if (layers.some(({ fields }) => fields && 'pmap:kind' in fields))
    throw new UnusableArchive('follows an older Protomaps schema: use an archive of version 4')
  return parsed.data
}

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

async function plainBytes(file: FileHandle, { offset, length }: Part, compression: number): Promise<Buffer> {
  const bytes = await bytesAt(file, offset, length)
  if (compression === NONE) return bytes
  return promisify(gunzip)(bytes, { maxOutputLength: 4 * MAX_METADATA_BYTES }).catch(() => {
    throw new UnusableArchive('is damaged: its directory cannot be unpacked')
  })
}

async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, offset)
  if (bytesRead < length)
    throw new UnusableArchive(offset === 0 ? 'is not a PMTiles archive' : 'ends early: copy it again')
  return bytes
}

/** A 64-bit length. Those beyond any file are taken as infinite. */
function wholeAt(header: Buffer, at: number): number {
  const value = header.readBigUInt64LE(at)
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value)
}
