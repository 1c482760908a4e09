import { GLTFExporter } from 'three/examples/jsm/exporters/GLTFExporter.js'
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js'

/** Converts a USDZ to a GLB, which the viewer can draw. @throws if the file cannot be fetched or parsed */
export async function glbOf(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim())
  const scene = new USDLoader().parse(await response.arrayBuffer())
  const animations = scene.animations ?? []
  const glb = (await new GLTFExporter().parseAsync(scene, { binary: true, animations })) as ArrayBuffer
  return new Blob([glb], { type: 'model/gltf-binary' })
}
