import { GLTFExporter } from 'three/examples/jsm/exporters/GLTFExporter.js'
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js'

/** Reads a USDZ, and gives it as a GLB, which is what the viewer draws.
 * @throws when it cannot be fetched or read */
export async function glbOf(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim())
  const scene = new USDLoader().parse(await response.arrayBuffer())
  const animations = scene.animations ?? []
  const glb = (await new GLTFExporter().parseAsync(scene, { binary: true, animations })) as ArrayBuffer
  return new Blob([glb], { type: 'model/gltf-binary' })
}
