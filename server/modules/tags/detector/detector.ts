import { readFileSync } from 'node:fs'
import { projectFile } from '../../../platform/process/project-files.ts'
import { bandsOf, clearestOf, movedDown } from './bands.ts'

/** A place in an image: pixels to the right and down. The centre of the top left pixel is (0, 0). */
export type Pixel = [x: number, y: number]

/** An AprilTag of the family tag36h11 in an image. */
export type DetectedTag = {
  id: number
  /** The corners of its black border, seen on the upright tag: bottom left, bottom right, top right, top left. */
  corners: [Pixel, Pixel, Pixel, Pixel]
  /** Where its diagonals meet: the centre of the tag, also when it is tilted. */
  centre: Pixel
  /** Wrong bits that were corrected. */
  hamming: number
  /** How far its bits are from the threshold between black and white: the mean of their differences, of 255. */
  margin: number
}

export type GrayImage = { width: number; height: number; pixels: Uint8Array }

type Functions = {
  memory: WebAssembly.Memory
  _initialize: () => void
  pixels_of: (width: number, height: number) => number
  released: (pointer: number) => void
  detect: (pixels: number, width: number, height: number, decimate: number, corrected: number) => number
  results: () => number
  cells_of: (id: number) => number
}

/** More would need too much memory. At full size, tags are found from about 20 pixels a side; at half size, from 40. */
const FULL_SIZE_PIXELS = 17_000_000
/**
 * A quad in foliage or gravel has some bits of a tag by chance. One of 36 random bits in 29 million is a tag of the family
 * without an error, one in 780,000 with at most one, one in 44,000 with at most two: a corrected tag must be clearer.
 */
const MIN_MARGINS = [8, 30]
/** Smaller images cannot show a tag. */
const MIN_SIDE = 16
const NUMBERS = 13
/** Tags of an image, as in detector.c. */
const MAX_TAGS = 256
/** What the detector uses for each pixel of an image at full size, and the most that is reserved of its 1 GiB. */
const BYTES_A_PIXEL = 28
const MAX_RESERVED = 512 * 2 ** 20
const PAGE = 2 ** 16
/** The library's centre of the top left pixel is (0.5, 0.5). */
const HALF = 0.5

let opened: Functions | undefined

/** Reads, compiles and starts the detector's code, once. */
export function loadDetector(): Functions {
  if (opened) return opened
  const code = new WebAssembly.Module(readFileSync(projectFile('server/modules/tags/detector/april-tags.wasm')))
  const { exports } = new WebAssembly.Instance(code, { wasi_snapshot_preview1: WASI, env: NOTIFIED })
  opened = exports as Functions
  opened._initialize()
  return opened
}

/**
 * Finds the AprilTags of an image, by AprilTag 3 (E. Olson et al., University of Michigan) as WebAssembly: in larger images the
 * small tags in bands, and the others at half size. Use it in a process of its own: it computes for seconds, and its memory does
 * not shrink. @param mostPixels that are searched at full size at once @throws if it has not enough memory
 */
export function detectTags(image: GrayImage, mostPixels = FULL_SIZE_PIXELS): DetectedTag[] {
  const { width, height } = image
  // The library divides an image into squares, and fails without one.
  if (Math.min(width, height) < MIN_SIDE) return []
  if (width * height <= mostPixels) return tagsIn(image, 1)
  const small = bandsOf(image, mostPixels).flatMap(({ top, band }) => tagsIn(band, 1).map((tag) => movedDown(tag, top)))
  return clearestOf([...small, ...tagsIn(image, 2)]).slice(0, MAX_TAGS)
}

/** @param decimate 2 seeks the edges of tags at half size */
function tagsIn({ width, height, pixels }: GrayImage, decimate: 1 | 2): DetectedTag[] {
  const { memory, pixels_of, released, detect, results } = loadDetector()
  const pointer = pixels_of(width, height)
  if (pointer === 0) throw new RangeError('The detector has no more memory')
  try {
    reserve(memory, width * height)
    new Uint8Array(memory.buffer).set(pixels, pointer)
    const count = detect(pointer, width, height, decimate, MIN_MARGINS.length - 1)
    const numbers = new Float64Array(memory.buffer, results(), count * NUMBERS)
    const tags = Array.from({ length: count }, (_, at) => tagOf(numbers.slice(at * NUMBERS, (at + 1) * NUMBERS)))
    return tags.filter(({ hamming, margin }) => margin >= MIN_MARGINS[hamming]!)
  } finally {
    released(pointer)
  }
}

/**
 * Grows the memory in one step to what an image usually needs. Otherwise the library grows it page by page, and V8 collects
 * garbage each time: with a small heap, that took ten seconds for the first image of 12 megapixels.
 */
function reserve(memory: WebAssembly.Memory, pixels: number): void {
  const wanted = Math.min(MAX_RESERVED, pixels * BYTES_A_PIXEL)
  const pages = Math.ceil((wanted - memory.buffer.byteLength) / PAGE)
  if (pages > 0) memory.grow(pages)
}

/** The 10 by 10 cells of a tag with its white edge, from the top left: 0 is black, 255 white. */
export function cellsOf(id: number): Uint8Array {
  const { memory, cells_of } = loadDetector()
  const pointer = cells_of(id)
  if (pointer === 0) throw new RangeError(`The family tag36h11 has no tag ${id}`)
  return new Uint8Array(memory.buffer).slice(pointer, pointer + 100)
}

function tagOf(numbers: Float64Array): DetectedTag {
  const [id, hamming, margin] = numbers as unknown as [number, number, number]
  const pixelAt = (at: number): Pixel => [numbers[at]! - HALF, numbers[at + 1]! - HALF]
  return { id, corners: [pixelAt(5), pixelAt(7), pixelAt(9), pixelAt(11)], centre: pixelAt(3), hamming, margin }
}

/** The library reads a clock for its statistics, and writes messages, which nobody sees. */
const refuse = () => 8
const WASI = {
  clock_time_get: () => 0,
  proc_exit() {
    throw new RangeError('The detector gave up')
  },
  fd_read: refuse,
  fd_write: refuse,
  fd_close: refuse,
  fd_seek: refuse,
  environ_sizes_get: refuse,
  environ_get: refuse,
}
const NOTIFIED = { emscripten_notify_memory_growth() {} }
