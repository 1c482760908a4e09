import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { printVerdicts } from './verdict.ts'

type Loader = {
  loadFromBinary(bytes: Uint8Array, name: string): boolean
  error(): string
  numMeshes(): number
  getMesh(index: number): { faceVertexIndices?: ArrayLike<number>; materialId?: number }
  delete(): void
}
type Module = { TinyUSDZLoaderNative: new () => Loader }

async function main(): Promise<void> {
  // The module refuses Node unless it believes to be in a browser window of Electron.
  Object.assign(process, { type: 'renderer' })
  Object.assign(globalThis, { window: globalThis, self: globalThis, document: { currentScript: null } })
  Object.assign(globalThis, { location: { href: 'file:///' }, XMLHttpRequest: class {} })
  const require = createRequire(import.meta.url)
  const { default: start } = (await import(pathToFileURL(require.resolve('tinyusdz/tinyusdz.js')).href)) as {
    default: (options: object) => Promise<Module>
  }
  const wasmBinary = await readFile(require.resolve('tinyusdz/tinyusdz.wasm'))
  const module = await start({ wasmBinary, print() {}, printErr() {} })

  await printVerdicts(async (file) => {
    const loader = new module.TinyUSDZLoaderNative()
    try {
      if (!loader.loadFromBinary(await readFile(file), file)) throw new Error(loader.error() || 'not loaded')
      const meshes = loader.numMeshes()
      let triangles = 0
      const materials = new Set<number>()
      for (let i = 0; i < meshes; i++) {
        const { faceVertexIndices, materialId = -1 } = loader.getMesh(i)
        triangles += (faceVertexIndices?.length ?? 0) / 3
        if (materialId >= 0) materials.add(materialId)
      }
      return { meshes, triangles, materials: materials.size }
    } finally {
      loader.delete()
    }
  })
}

await main()
process.exit(0)
