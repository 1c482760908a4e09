import wasm from 'three/examples/jsm/libs/basis/basis_transcoder.wasm?url'
import type { Basis, BasisFactory } from '../../textures/images/basis.ts'
import { fetchBytes } from './fetch-bytes.ts'

/** Starts three.js's transcoder; the counterpart of `textures/images/basis-module.ts`. */
export async function startTranscoder(): Promise<Basis> {
  const { default: make } = await import('three/examples/jsm/libs/basis/basis_transcoder.js')
  const ready = await (make as BasisFactory)({ wasmBinary: await fetchBytes(wasm), print() {}, printErr() {} })
  ready.initializeBasis()
  return ready
}
