import wasm from 'draco3dgltf/draco_decoder_gltf.wasm?url'
import type { DracoModule } from '../../read/buffers/draco-module.ts'
import { fetchBytes } from './fetch-bytes.ts'

let loaded: Promise<() => Promise<DracoModule>> | undefined

/** Returns a factory of decoder modules; the counterpart of `read/buffers/draco-decoder.ts`. */
export async function dracoDecoder(): Promise<() => Promise<DracoModule>> {
  loaded ??= load()
  return await loaded
}

async function load() {
  const [{ default: create }, wasmBinary] = await Promise.all([
    import('draco3dgltf/draco_decoder_gltf_nodejs.js'),
    fetchBytes(wasm),
  ])
  return () => create({ wasmBinary }) as Promise<DracoModule>
}
