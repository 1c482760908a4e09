import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Three from 'three'
import { printVerdicts } from './verdict.ts'

/** The three of the project, not the older one the OpenUSD package brings along. */
const fromRoot = createRequire(new URL('../../../package.json', import.meta.url))
const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(path).href)) as T

async function main(): Promise<void> {
  // The loader decodes images with browser means; here only their number and place matter.
  Object.assign(globalThis, { self: globalThis })
  URL.createObjectURL = () => 'blob:none'
  const three = await load<typeof Three>(join(dirname(fromRoot.resolve('three')), 'three.module.js'))
  three.ImageLoader.prototype.load = (_url, onLoad) => {
    const image = { width: 1, height: 1 } as ReturnType<Three.ImageLoader['load']>
    setTimeout(() => onLoad?.(image), 0)
    return image
  }
  const { USDLoader } = await load<{ USDLoader: new () => { parse(data: ArrayBuffer): Three.Group } }>(
    fromRoot.resolve('three/examples/jsm/loaders/USDLoader.js'),
  )

  await printVerdicts(async (file) => {
    const bytes = await readFile(file)
    const group = new USDLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    let meshes = 0
    let triangles = 0
    group.traverse((object) => {
      if (!(object instanceof three.Mesh)) return
      const { geometry } = object as Three.Mesh
      meshes++
      triangles += (geometry.index?.count ?? geometry.attributes.position?.count ?? 0) / 3
    })
    const box = new three.Box3().setFromObject(group, true)
    // Materials are not counted: the loader makes one for every mesh.
    return { meshes, triangles, bounds: [...box.min.toArray(), ...box.max.toArray()] }
  })
}

await main()
process.exit(0)
