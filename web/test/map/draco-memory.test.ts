import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { DracoModule } from '../../../usdz/read/buffers/draco-module.ts'
import { MOST_DRACO_BYTES, withMostMemory } from '../../draco-memory.ts'
import { BYTES_PER_POINT, dracoBomb } from '../support/draco.ts'

const { resolve } = createRequire(import.meta.url)
const folder = 'three/examples/jsm/libs/draco/gltf'

/** The decoder that the map loads. */
async function boundedDecoder(): Promise<DracoModule> {
  const wrapper = withMostMemory(await readFile(resolve(`${folder}/draco_wasm_wrapper.js`), 'utf8'))
  const wasmBinary = await readFile(resolve(`${folder}/draco_decoder.wasm`))
  const context = createContext({ WebAssembly, TextDecoder, console, window: {}, document: {} })
  return runInContext(`${wrapper}; DracoDecoderModule`, context)({ wasmBinary })
}

test('Draco data that states more than its bytes hold is refused within the memory of its decoder', async () => {
  const draco = await boundedDecoder()
  const data = dracoBomb(Math.ceil((1.2 * MOST_DRACO_BYTES) / BYTES_PER_POINT))
  const decode = () => new draco.Decoder().DecodeArrayToMesh(data, data.length, new draco.Mesh())
  expect(decode).toThrow()
  expect(draco.HEAPU8.byteLength).toBeLessThanOrEqual(MOST_DRACO_BYTES)
})

test('a Draco decoder that grows its memory in another way is not taken for one that is bounded', () => {
  expect(() => withMostMemory('grow(4294967296)')).toThrow('another way')
})
