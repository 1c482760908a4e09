import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type { Pixels } from '../../scene/materials/material.ts'
import type { Ktx2Header } from './ktx2-header.ts'

/** The parts of the Basis Universal transcoder used here (basis_wrappers.cpp of BinomialLLC/basis_universal). */
type Ktx2File = {
  isValid(): boolean
  startTranscoding(): boolean
  getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number
  transcodeImage(
    out: Uint8Array,
    level: number,
    layer: number,
    face: number,
    format: number,
    unused: number,
    channel0: number,
    channel1: number,
  ): boolean
  close(): void
  delete(): void
}
type Basis = { initializeBasis(): void; KTX2File: new (bytes: Uint8Array) => Ktx2File }

/** The transcoder format RGBA, 8 bits each. */
const rgba32 = 13

let started: Promise<Basis> | undefined

/**
 * Decodes the largest level of a KTX2 file (Basis Universal ETC1S or UASTC) to RGB, or to RGBA if it has alpha.
 * @throws when it cannot be decoded.
 */
export async function decodeKtx2(bytes: Uint8Array, header: Ktx2Header): Promise<Pixels> {
  started ??= startTranscoder()
  const basis = await started
  const { width, height } = header
  try {
    return toPixels(transcode(basis, bytes, width * height * 4), header)
  } catch (error) {
    // After a trap the module's memory is undefined: the next image gets a new module.
    if (error instanceof Error && error.name === 'RuntimeError') started = undefined
    throw error
  }
}

function transcode(basis: Basis, bytes: Uint8Array, size: number): Uint8Array {
  const file = new basis.KTX2File(bytes)
  try {
    if (!file.isValid() || !file.startTranscoding()) throw new Error('The transcoder does not support this KTX2 file.')
    const needed = file.getImageTranscodedSizeInBytes(0, 0, 0, rgba32)
    if (needed !== size) throw new Error('The size of the KTX2 image differs from its header.')
    const out = new Uint8Array(size)
    if (!file.transcodeImage(out, 0, 0, 0, rgba32, 0, -1, -1)) throw new Error('The KTX2 image is damaged.')
    return out
  } finally {
    file.close()
    file.delete()
  }
}

/** Converts transcoded pixels. Two-channel files store r in RGB and g in alpha. */
function toPixels(data: Uint8Array, { width, height, alpha, twoChannels }: Ktx2Header): Pixels {
  if (alpha) return { data, width, height, channels: 4 }
  const out = new Uint8Array(width * height * 3)
  for (let from = 0, to = 0; to < out.length; from += 4, to += 3) {
    out[to] = data[from]!
    out[to + 1] = data[from + (twoChannels ? 3 : 1)]!
    out[to + 2] = twoChannels ? 0 : data[from + 2]!
  }
  return { data: out, width, height, channels: 3 }
}

/** Starts the transcoder from three.js: a browser script, compiled here as a function body. */
async function startTranscoder(): Promise<Basis> {
  const require = createRequire(import.meta.url)
  const place = (kind: string) => require.resolve(`three/examples/jsm/libs/basis/basis_transcoder.${kind}`)
  const [code, wasmBinary] = await Promise.all([readFile(place('js'), 'utf8'), readFile(place('wasm'))])
  const make = compileFunction(`${code}\nreturn BASIS`, ['require', '__filename', '__dirname'], {
    filename: place('js'),
  })
  const basis = make(require, place('js'), '') as (module: object) => Promise<Basis>
  const ready = await basis({ wasmBinary, print() {}, printErr() {} })
  ready.initializeBasis()
  return ready
}
