import { readFileSync } from 'node:fs'

export const heifFixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/heif/${name}`, import.meta.url)) as Buffer

type Item = { type: string; data: Buffer; properties: Buffer[]; isHidden?: boolean; tiles?: number[] }

const u16 = (value: number) => Buffer.from([value >> 8, value & 255])
const u32 = (value: number) => Buffer.concat([u16(value >>> 16), u16(value & 65535)])
const box = (type: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(8 + body.length), Buffer.from(type), body])
}
const fullBox = (type: string, version: number, flags: number, ...parts: Buffer[]) =>
  box(type, u32(version * 2 ** 24 + flags), ...parts)

/** Size of an image (ISO/IEC 23008-12 §6.5.3), in pixels. */
export const ispe = (width: number, height: number) => fullBox('ispe', 0, 0, u32(width), u32(height))
/** Rotation in quarter turns, anti-clockwise (§6.5.10). */
export const irot = (quarters: number) => box('irot', Buffer.from([quarters]))
/** Mirroring: swaps top and bottom (0) or left and right (1) (§6.5.12, as corrected in the third edition). */
export const imir = (axis: number) => box('imir', Buffer.from([axis]))

/** A HEIF file of these items, IDs from 1; the last is the main image. Tiles are numbers of earlier items. */
export function heifOf(items: Item[], brand = 'heic'): Buffer {
  const properties = items.flatMap((item) => item.properties)
  const primary = items.length
  const about = (start: number) => {
    let offset = start
    const locations = items.map(({ data }, at) => {
      offset += data.length
      return Buffer.concat([u16(at + 1), u16(0), u16(1), u32(offset - data.length), u32(data.length)])
    })
    const infos = items.map(({ type, isHidden }, at) =>
      fullBox('infe', 2, isHidden ? 1 : 0, u16(at + 1), u16(0), Buffer.from(`${type}\0`)),
    )
    const tiled = items.flatMap(({ tiles }, at) => (tiles ? [{ tiles, at }] : []))
    const references = tiled.map(({ tiles, at }) => box('dimg', u16(at + 1), u16(tiles.length), ...tiles.map(u16)))
    let index = 0
    const associations = items.map((item, at) => {
      // Each item has its own properties, in the given order; those that change pixels or are needed to decode are essential.
      const mine = item.properties.map((property) => {
        const isEssential = property.toString('latin1', 4, 8) !== 'ispe'
        return Buffer.from([++index | (isEssential ? 0x80 : 0)])
      })
      return Buffer.concat([u16(at + 1), Buffer.from([mine.length]), ...mine])
    })
    return fullBox(
      'meta',
      0,
      0,
      fullBox('hdlr', 0, 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, 0, u16(primary)),
      fullBox('iloc', 0, 0, Buffer.from([0x44, 0x00]), u16(items.length), ...locations),
      fullBox('iinf', 0, 0, u16(items.length), ...infos),
      ...(references.length > 0 ? [fullBox('iref', 0, 0, ...references)] : []),
      box('iprp', box('ipco', ...properties), fullBox('ipma', 0, 0, u32(items.length), ...associations)),
    )
  }
  const ftyp = box('ftyp', Buffer.from(brand), u32(0), Buffer.from(`mif1${brand}`))
  const start = ftyp.length + about(0).length + 8
  return Buffer.concat([ftyp, about(start), box('mdat', ...items.map(({ data }) => data))])
}

/** The picture of `plain.heic` with additional or other properties. */
export function coded(properties: Buffer[] = [], size = ispe(640, 480)): Item {
  const file = heifFixture('plain.heic')
  const boxAt = (type: string) => {
    const at = file.indexOf(type) - 4
    return file.subarray(at, at + file.readUInt32BE(at))
  }
  return { type: 'hvc1', data: boxAt('mdat').subarray(8), properties: [boxAt('hvcC'), size, ...properties] }
}

/** A picture of columns × rows tiles, each that of `plain.heic`, as iPhones assemble theirs (§6.6.2.3). */
export function tiled(columns: number, rows: number, properties: Buffer[] = []): Buffer {
  const tiles = Array.from({ length: columns * rows }, () => ({ ...coded(), isHidden: true }))
  const [width, height] = [columns * 640, rows * 480]
  const data = Buffer.concat([Buffer.from([0, 0, rows - 1, columns - 1]), u16(width), u16(height)])
  const grid = {
    type: 'grid',
    data,
    properties: [ispe(width, height), ...properties],
    tiles: tiles.map((_, at) => at + 1),
  }
  return heifOf([...tiles, grid])
}
