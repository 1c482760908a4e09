import { DamagedGrid, type FileBytes } from './bytes.ts'

/** Limits: grids of a file, and fields of a grid. */
const MAX_DIRECTORIES = 10_000
const MAX_FIELDS = 1000
/** Maximum size of an unpacked block in bytes. */
const MAX_BLOCK = 64 * 2 ** 20

const WIDTH = 256
const HEIGHT = 257
const BITS = 258
const STRIPS = 273
const SAMPLES = 277
const STRIP_ROWS = 278
const STRIP_BYTES = 279
const PLANES = 284
const TILE_WIDTH = 322
const TILE_HEIGHT = 323
const TILES = 324
const TILE_BYTES = 325
const USED = new Set([
  WIDTH,
  HEIGHT,
  BITS,
  STRIPS,
  SAMPLES,
  STRIP_ROWS,
  STRIP_BYTES,
  PLANES,
  TILE_WIDTH,
  TILE_HEIGHT,
  TILES,
  TILE_BYTES,
])
/** Sizes of the integer types SHORT, LONG, LONG8 in bytes. */
const INTEGERS: Record<number, 2 | 4 | 8> = { 3: 2, 4: 4, 16: 8 }
/** Sizes of all types larger than one byte. */
const SIZES: Record<number, number> = { ...INTEGERS, 5: 8, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 17: 8, 18: 8 }

type Form = { isLittle: boolean; isBig: boolean }
type Directory = { fields: Map<number, number[]>; next: number }

/**
 * Checks that a file is a TIFF or BigTIFF, and that all blocks of its directories are inside it. Formats: Adobe, "TIFF 6.0";
 * Aware Systems, "BigTIFF".
 * @throws DamagedGrid
 */
export function checkGeoTiff(bytes: FileBytes): void {
  const head = bytes.at(0, 8)
  const order = head.getUint16(0)
  const isLittle = order === 0x4949
  const version = head.getUint16(2, isLittle)
  if ((!isLittle && order !== 0x4d4d) || (version !== 42 && version !== 43))
    throw new DamagedGrid('it is not a TIFF file')
  const form: Form = { isLittle, isBig: version === 43 }
  let next = form.isBig ? whole(bytes.at(8, 8), 0, 8, isLittle) : head.getUint32(4, isLittle)
  for (let count = 0; next !== 0; count++) {
    if (count >= MAX_DIRECTORIES) throw new DamagedGrid(`it has more than ${MAX_DIRECTORIES} directories`)
    const directory = directoryAt(bytes, next, form)
    checkBlocks(bytes, directory)
    next = directory.next
  }
}

const whole = (view: DataView, at: number, size: 2 | 4 | 8, isLittle: boolean): number =>
  size === 2
    ? view.getUint16(at, isLittle)
    : size === 4
      ? view.getUint32(at, isLittle)
      : Number(view.getBigUint64(at, isLittle))

function directoryAt(bytes: FileBytes, at: number, { isLittle, isBig }: Form): Directory {
  const size = isBig ? 8 : 4
  const start = at + (isBig ? 8 : 2)
  const count = whole(bytes.at(at, start - at), 0, isBig ? 8 : 2, isLittle)
  if (count < 1 || count > MAX_FIELDS) throw new DamagedGrid(`one of its directories has ${count} fields`)
  const entry = 4 + 2 * size
  const view = bytes.at(start, count * entry + size)
  const fields = new Map<number, number[]>()
  for (let field = 0; field < count; field++) {
    const place = field * entry
    const tag = view.getUint16(place, isLittle)
    const type = view.getUint16(place + 2, isLittle)
    const values = whole(view, place + 4, size, isLittle)
    const length = values * (SIZES[type] ?? 1)
    const inPlace = length <= size
    if (!inPlace && whole(view, place + 4 + size, size, isLittle) + length > bytes.size)
      throw new DamagedGrid('it ends early')
    const integer = INTEGERS[type]
    if (!USED.has(tag) || !integer) continue
    const source = inPlace ? view : bytes.at(whole(view, place + 4 + size, size, isLittle), length)
    const from = inPlace ? place + 4 + size : 0
    fields.set(
      tag,
      Array.from({ length: values }, (_, i) => whole(source, from + i * integer, integer, isLittle)),
    )
  }
  return { fields, next: whole(view, count * entry, size, isLittle) }
}

function checkBlocks(bytes: FileBytes, { fields }: Directory): void {
  const one = (tag: number, otherwise: number) => fields.get(tag)?.[0] ?? otherwise
  const [width, height, samples] = [one(WIDTH, 0), one(HEIGHT, 0), one(SAMPLES, 1)]
  const isTiled = fields.has(TILES)
  const blockWidth = isTiled ? one(TILE_WIDTH, 0) : width
  const blockHeight = isTiled ? one(TILE_HEIGHT, 0) : Math.min(one(STRIP_ROWS, height), height)
  const isApart = one(PLANES, 1) === 2
  const offsets = fields.get(isTiled ? TILES : STRIPS) ?? []
  const lengths = fields.get(isTiled ? TILE_BYTES : STRIP_BYTES) ?? []
  const expected = Math.ceil(width / blockWidth) * Math.ceil(height / blockHeight) * (isApart ? samples : 1)
  if (!(expected >= 1) || offsets.length !== expected || lengths.length !== expected)
    throw new DamagedGrid('its directory does not fit its size')
  if ((blockWidth * blockHeight * (isApart ? 1 : samples) * one(BITS, 1)) / 8 > MAX_BLOCK)
    throw new DamagedGrid('one of its blocks is larger than 64 MiB')
  if (offsets.some((offset, i) => offset + lengths[i]! > bytes.size)) throw new DamagedGrid('it ends early')
}
