import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import type { Basis, BasisFactory } from './basis.ts'

const require = createRequire(import.meta.url)

/** The npm package has a copy beside this file, so that it does not need three.js. */
function place(kind: 'js' | 'wasm'): string {
  const copy = fileURLToPath(new URL(`basis/basis_transcoder.${kind}`, import.meta.url))
  return existsSync(copy) ? copy : require.resolve(`three/examples/jsm/libs/basis/basis_transcoder.${kind}`)
}

/** Starts three.js's transcoder: a browser script, compiled here as a function body. */
export async function startTranscoder(): Promise<Basis> {
  const [code, wasmBinary] = await Promise.all([readFile(place('js'), 'utf8'), readFile(place('wasm'))])
  const make = compileFunction(`${code}\nreturn BASIS`, ['require', '__filename', '__dirname'], {
    filename: place('js'),
  })
  const basis = make(require, place('js'), '') as BasisFactory
  const ready = await basis({ wasmBinary, print() {}, printErr() {} })
  ready.initializeBasis()
  return ready
}
