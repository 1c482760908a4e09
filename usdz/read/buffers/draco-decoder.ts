import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { DracoModule } from './draco-module.ts'

let loaded: Promise<() => Promise<DracoModule>> | undefined

/** Returns a factory of decoder modules. Its code is loaded once, on first use. */
export function dracoDecoder(): Promise<() => Promise<DracoModule>> {
  loaded ??= readDecoder()
  return loaded
}

async function readDecoder() {
  const code = createRequire(import.meta.url).resolve('draco3dgltf/draco_decoder_gltf.wasm')
  const [{ default: draco }, wasmBinary] = await Promise.all([import('draco3dgltf'), readFile(code)])
  return () => draco.createDecoderModule({ wasmBinary }) as Promise<DracoModule>
}
