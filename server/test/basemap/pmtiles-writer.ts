import { gzipSync } from 'node:zlib'
import { zxyToTileId } from 'pmtiles'

export type TileBytes = { z: number; x: number; y: number; bytes: Uint8Array }

type Options = {
  metadata: object
  bounds: [west: number, south: number, east: number, north: number]
  /** Bytes of the header to write otherwise, by their position. */
  header?: Record<number, number>
}

const HEADER_BYTES = 127
const GZIP = 2
const MVT = 1

/** A PMTiles archive of version 3, with one directory: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md */
export function pmtilesOf(tiles: TileBytes[], { metadata, bounds, header: changed = {} }: Options): Buffer {
  const entries = tiles
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), bytes: gzipSync(bytes) }))
    .sort((a, b) => a.id - b.id)
  const root = gzipSync(directoryOf(entries))
  const about = gzipSync(JSON.stringify(metadata))
  const data = Buffer.concat(entries.map(({ bytes }) => bytes))
  const zooms = tiles.map(({ z }) => z)

  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PMTiles', 'latin1')
  header[7] = 3
  const rootAt = HEADER_BYTES
  const aboutAt = rootAt + root.length
  const dataAt = aboutAt + about.length
  const wholes = [rootAt, root.length, aboutAt, about.length, dataAt, 0, dataAt, data.length]
  const counts = [entries.length, entries.length, entries.length]
  for (const [i, value] of [...wholes, ...counts].entries()) header.writeBigUInt64LE(BigInt(value), 8 + 8 * i)
  header.set([1, GZIP, GZIP, MVT, Math.min(...zooms), Math.max(...zooms)], 96)
  const degrees = (at: number, value: number) => header.writeInt32LE(Math.round(value * 1e7), at)
  for (const [i, value] of bounds.entries()) degrees(102 + 4 * i, value)
  header[118] = Math.max(...zooms)
  degrees(119, (bounds[0] + bounds[2]) / 2)
  degrees(123, (bounds[1] + bounds[3]) / 2)
  for (const [at, byte] of Object.entries(changed)) header[Number(at)] = byte
  return Buffer.concat([header, root, about, data])
}

function directoryOf(entries: { id: number; bytes: Buffer }[]): Buffer {
  const ids = entries.map(({ id }, i) => id - (entries[i - 1]?.id ?? 0))
  const lengths = entries.map(({ bytes }) => bytes.length)
  // An offset of 0 says that the tile follows the one before.
  const offsets = entries.map((_, i) => (i === 0 ? 1 : 0))
  return Buffer.from([entries.length, ...ids, ...entries.map(() => 1), ...lengths, ...offsets].flatMap(varint))
}

function varint(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) + 128)
  }
}
