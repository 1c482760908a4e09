import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { REVISION } from 'three'
import type { Plugin } from 'vite'
import { withoutEval } from './without-eval.ts'

const FILES = [
  'draco/gltf/draco_wasm_wrapper.js',
  'draco/gltf/draco_decoder.wasm',
  'basis/basis_transcoder.js',
  'basis/basis_transcoder.wasm',
]

/** Puts what unpacks compressed models beside the console's own files, where the model viewer asks for them by their names: nothing comes from elsewhere. The folder has three's revision in its name, since files in it are kept for ever. */
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
    // The viewer has the meshopt decoder in itself, and uses it once a script of this name was loaded.
    this.emitFile({ type: 'asset', fileName: `assets/three-${REVISION}/meshopt_decoder.js`, source: '' })
  },
})
