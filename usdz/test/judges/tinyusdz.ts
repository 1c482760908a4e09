import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { boundsOfMeshes, type PlacedMesh } from './bounds.ts'
import { printVerdicts } from './verdict.ts'

type Loader = {
  loadFromBinary(bytes: Uint8Array, name: string): boolean
  error(): string
  numMeshes(): number
  getMesh(index: number): { faceVertexIndices?: ArrayLike<number>; points?: ArrayLike<number>; materialId?: number }
  getMaterial(index: number): Record<string, unknown>
  getTexture(index: number): { textureImageId: number }
  getImage(index: number): { uri: string }
  getDefaultRootNode(): PlacedNode
  delete(): void
}
type PlacedNode = { nodeType: string; contentId: number; globalMatrix: number[]; children: PlacedNode[] }
type Module = { TinyUSDZLoaderNative: new () => Loader }

async function main(): Promise<void> {
  // The module refuses Node unless it detects an Electron window.
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
      const textures = [...materials].flatMap((id) => texturesOf(loader, id))
      const counts = { meshes, triangles, materials: materials.size, textures: new Set(textures).size }
      return { ...counts, bounds: boundsOf(loader, meshes) }
    } finally {
      loader.delete()
    }
  })
}

/** The image files of a material, by its members that end in TextureId. */
function texturesOf(loader: Loader, material: number): string[] {
  const members = Object.entries(loader.getMaterial(material)).filter(([name]) => name.endsWith('TextureId'))
  return members.map(([, id]) => loader.getImage(loader.getTexture(id as number).textureImageId).uri)
}

/** The box around all meshes, placed by its tree of nodes. */
function boundsOf(loader: Loader, meshes: number): number[] {
  const placed: PlacedMesh[] = []
  const visit = ({ nodeType, contentId, globalMatrix, children }: PlacedNode) => {
    if (nodeType === 'mesh') {
      const { points = [], faceVertexIndices = [] } = loader.getMesh(contentId)
      placed.push({ points, indices: faceVertexIndices, matrix: globalMatrix })
    }
    children.forEach(visit)
  }
  if (meshes > 0) visit(loader.getDefaultRootNode())
  return boundsOfMeshes(placed)
}

await main()
process.exit(0)
