import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { REVISION } from 'three'
import type { Plugin } from 'vite'
import { withMostMemory } from './draco-memory.ts'
import { withoutEval } from './without-eval.ts'

const FILES = [
  'draco/gltf/draco_wasm_wrapper.js',
  'draco/gltf/draco_decoder.wasm',
  'basis/basis_transcoder.js',
  'basis/basis_transcoder.wasm',
]

/** Emits the decoders for compressed models at the names where the model viewer expects them, so that nothing is loaded from elsewhere. The folder name includes three's revision, because its files are cached forever. */
export const decoders = (): Plugin => ({
  name: 'cairn-decoders',
  apply: 'build',
  async buildStart() {
    const { resolve } = createRequire(import.meta.url)
    for (const file of FILES) {
      const read = await readFile(resolve(`three/examples/jsm/libs/${file}`))
      const source = file.endsWith('basis_transcoder.js') ? withoutEval(read.toString()) : read
      this.emitFile({ type: 'asset', fileName: `assets/three-${REVISION}/${file.split('/').at(-1)}`, source })
    }
    // For models that nobody chose to open: the map draws those of others.
    for (const file of FILES.filter((name) => name.startsWith('draco'))) {
      const read = await readFile(resolve(`three/examples/jsm/libs/${file}`))
      const source = file.endsWith('.js') ? withMostMemory(read.toString()) : read
      this.emitFile({ type: 'asset', fileName: `assets/three-${REVISION}/bounded/${file.split('/').at(-1)}`, source })
    }
    // The viewer includes the meshopt decoder and uses it once a script with this name has loaded.
    this.emitFile({ type: 'asset', fileName: `assets/three-${REVISION}/meshopt_decoder.js`, source: '' })
  },
})
