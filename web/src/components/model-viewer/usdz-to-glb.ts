import type { Group, Material, Mesh, MeshStandardMaterial, Texture } from 'three'
import { GLTFExporter } from 'three/examples/jsm/exporters/GLTFExporter.js'
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js'

/** Converts a USDZ to a GLB, which the viewer can draw. Textures that this browser cannot read are left out. @throws if the file cannot be fetched or parsed */
export async function glbOf(url: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim())
  const { scene, images } = parse(await response.arrayBuffer())
  await Promise.all(images)
  for (const material of materialsOf(scene)) {
    undoColourConversion(material)
    dropUnreadableTextures(material)
  }
  const animations = scene.animations ?? []
  const glb = (await new GLTFExporter().parseAsync(scene, { binary: true, animations })) as ArrayBuffer
  return new Blob([glb], { type: 'model/gltf-binary' })
}

/** Parses the file. The loader returns before it has decoded its textures, and does not say when it has: `images` settle then, also on errors. */
function parse(bytes: ArrayBuffer): { scene: Group; images: Promise<void>[] } {
  const images: HTMLImageElement[] = []
  const { Image } = globalThis
  globalThis.Image = class extends Image {
    constructor(...size: ConstructorParameters<typeof Image>) {
      super(...size)
      images.push(this)
    }
  }
  try {
    return { scene: new USDLoader().parse(bytes), images: images.map(settled) }
  } finally {
    globalThis.Image = Image
  }
}

const settled = (image: HTMLImageElement) =>
  new Promise<void>((resolve) => {
    for (const event of ['load', 'error']) image.addEventListener(event, () => resolve(), { once: true })
  })

function materialsOf(scene: Group): Set<Material> {
  const materials = new Set<Material>()
  scene.traverse((object) => {
    for (const material of [(object as Mesh).material ?? []].flat()) materials.add(material)
  })
  return materials
}

/** Colours of USD are linear. The loader takes them for sRGB, which makes them darker and more saturated. */
function undoColourConversion(material: Material): void {
  const { color, emissive } = material as MeshStandardMaterial
  color?.convertLinearToSRGB()
  emissive?.convertLinearToSRGB()
}

const isTexture = (value: unknown): value is Texture => (value as Texture | null)?.isTexture === true

/** The exporter refuses a texture without an image. */
function dropUnreadableTextures(material: Material): void {
  for (const [name, value] of Object.entries(material))
    if (isTexture(value) && !value.image) Object.assign(material, { [name]: null })
}
