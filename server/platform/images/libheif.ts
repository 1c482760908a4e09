import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { MainModule } from 'libheif-js/libheif-wasm/libheif.js'

/** The size of an image according to its headers. */
export type HeifSize = { width: number; height: number }
/**
 * Upright pixels with 8 bits per channel (r g b, and alpha if present), and the colour profile, if the file has one.
 */
export type HeifPixels = HeifSize & { data: Uint8Array; channels: 3 | 4; icc: Uint8Array | undefined }

/** The file is malformed, or exceeds the limits. */
export class HeifFault extends Error {}

/** Memory limit of the decoder: an image of 50 million pixels needs about half of it. */
const MAX_MEMORY = 1024 * 2 ** 20
const PAGE = 2 ** 16

// libheif 1.23, heif_library.h, heif_image.h, heif_security.h.
const RGB = 1
const INTERLEAVED_RGB = 10
const INTERLEAVED_RGBA = 11
const INTERLEAVED = 10
const RAW_PROFILES = ['rICC', 'prof']
/** Offset of `max_image_size_pixels` (uint64) in heif_security_limits, after a version byte. */
const IMAGE_SIZE_LIMIT = 8

/**
 * Opens the decoder of HEIC and HEIF (libheif as WebAssembly), whose memory is isolated and bounded. Use it in a
 * process of its own: it computes for seconds. @param maxMemory bytes, at least 17 MiB
 */
export function openLibheif({ maxMemory = MAX_MEMORY } = {}) {
  const lib = load(maxMemory)
  const error = lib._malloc(16)
  const out = lib._malloc(16)
  const at = (pointer: number) => new DataView(lib.HEAPU8.buffer).getUint32(pointer, true)
  const textAt = (pointer: number) => {
    const bytes: Uint8Array = lib.HEAPU8
    return Buffer.from(bytes.subarray(pointer, bytes.indexOf(0, pointer))).toString()
  }
  /** Every call stores its heif_error here: code, subcode, message. */
  const check = () => {
    if (at(error) !== 0) throw new HeifFault(textAt(at(error + 8)))
  }

  const pixelsOf = (handle: number, { width, height }: HeifSize): HeifPixels => {
    const channels = lib._heif_image_handle_has_alpha_channel(handle) ? 4 : 3
    lib._heif_decode_image(error, handle, out, RGB, channels === 4 ? INTERLEAVED_RGBA : INTERLEAVED_RGB, 0)
    check()
    const image = at(out)
    try {
      const size = {
        width: lib._heif_image_get_width(image, INTERLEAVED),
        height: lib._heif_image_get_height(image, INTERLEAVED),
      }
      if (size.width !== width || size.height !== height)
        throw new HeifFault('it has another number of pixels than stated')
      const start = lib._heif_image_get_plane_readonly(image, INTERLEAVED, out)
      const stride = at(out)
      const data = new Uint8Array(width * height * channels)
      for (let y = 0; y < height; y++)
        data.set(lib.HEAPU8.subarray(start + y * stride, start + y * stride + width * channels), y * width * channels)
      return { ...size, data, channels, icc: profileOf(handle) }
    } finally {
      lib._heif_image_release(image)
    }
  }

  const profileOf = (handle: number): Uint8Array | undefined => {
    const kind = Buffer.alloc(4)
    kind.writeUInt32BE(lib._heif_image_handle_get_color_profile_type(handle) >>> 0)
    if (!RAW_PROFILES.includes(kind.toString('latin1'))) return undefined
    const size = lib._heif_image_handle_get_raw_color_profile_size(handle)
    const profile = lib._malloc(size)
    try {
      lib._heif_image_handle_get_raw_color_profile(error, handle, profile)
      check()
      return lib.HEAPU8.slice(profile, profile + size)
    } finally {
      lib._free(profile)
    }
  }

  const withPrimary = <T>(bytes: Uint8Array, maxPixels: number, use: (handle: number, size: HeifSize) => T): T => {
    const context = lib._heif_context_alloc()
    const file = lib._malloc(bytes.length)
    let handle = 0
    try {
      if (file === 0) throw new HeifFault('it is too large')
      lib.HEAPU8.set(bytes, file)
      new DataView(lib.HEAPU8.buffer).setBigUint64(
        lib._heif_context_get_security_limits(context) + IMAGE_SIZE_LIMIT,
        BigInt(maxPixels),
        true,
      )
      lib._heif_context_read_from_memory(error, context, file, bytes.length, 0)
      check()
      lib._heif_context_get_primary_image_handle(error, context, out)
      check()
      handle = at(out)
      const width = lib._heif_image_handle_get_width(handle)
      const height = lib._heif_image_handle_get_height(handle)
      return use(handle, { width, height })
    } finally {
      if (handle !== 0) lib._heif_image_handle_release(handle)
      lib._heif_context_free(context)
      lib._free(file)
    }
  }

  return {
    /** The displayed size of the main image, from the file's headers. @throws HeifFault */
    measure: (bytes: Uint8Array): HeifSize => withPrimary(bytes, Number.MAX_SAFE_INTEGER, (_handle, size) => size),

    /**
     * Decodes the main image. Applies the rotation, mirroring and cropping of the file; its EXIF orientation is
     * ignored, as ISO/IEC 23008-12 requires. @throws HeifFault
     */
    decode: (bytes: Uint8Array, maxPixels: number): HeifPixels => withPrimary(bytes, maxPixels, pixelsOf),
  }
}

type Library = { start: (settings: object) => MainModule; code: WebAssembly.Module }
let loaded: Library | undefined

/** Reads and compiles the decoder's code, once. */
export function loadLibheif(): Library {
  const require = createRequire(import.meta.url)
  loaded ??= {
    start: require('libheif-js/libheif-wasm/libheif.js'),
    code: new WebAssembly.Module(readFileSync(require.resolve('libheif-js/libheif-wasm/libheif.wasm'))),
  }
  return loaded
}

function load(maxMemory: number): MainModule {
  const { start, code } = loadLibheif()
  return start({
    print() {},
    printErr() {},
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => unknown) {
      const instance = new WebAssembly.Instance(code, imports)
      for (const part of Object.values(instance.exports)) if (part instanceof WebAssembly.Memory) bound(part, maxMemory)
      return receive(instance)
    },
  })
}

/** The decoder itself would grow to 2 GiB. */
function bound(memory: WebAssembly.Memory, maxMemory: number) {
  const grow = memory.grow.bind(memory)
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE > maxMemory) throw new RangeError('The decoder has no more memory')
    return grow(pages)
  }
}
