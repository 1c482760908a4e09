import type { PreviewMaterial } from '../../../../usdz/index.ts'
import { imageLibrary } from '../../../platform/images/image-library.ts'
import type { Preview } from '../processing/inspection.ts'
import { type Camera, cameraFor, HEIGHT, WIDTH } from './camera.ts'
import { blankCanvas, type Canvas, SAMPLES } from './canvas.ts'
import type { Picture } from './picture.ts'
import { drawClouds } from './points.ts'
import { shade } from './shade.ts'
import { drawSplats } from './splats.ts'
import { textureOf } from './textures.ts'
import { drawSurface, type Pace, type Painted, TooMuch } from './triangles.ts'
import { visiblePoints } from './visible-points.ts'

/** Maximum number of samples visited for one picture: a few seconds. */
const MAX_SAMPLES = 3e9
/** Strength of edge darkening: meshes are lit, points are not. */
const MESH_DEPTH = 6
const CLOUD_DEPTH = 16

/** Renders a drawing as WebP; null if it draws nothing or would take too long. */
export async function render(picture: Picture): Promise<Preview | null> {
  const points = visiblePoints(picture)
  if (points.length === 0) return null
  const { meshes, splats } = picture
  const painted = await paintedMaterials(meshes.map(({ material }) => material))
  // Splats are soft: one sample a pixel suffices.
  const canvas = blankCanvas(splats ? 1 : SAMPLES)
  try {
    draw(canvas, cameraFor(points, picture.up), picture, painted)
  } catch (error) {
    if (error instanceof TooMuch) return null
    throw error
  }
  return encode(shade(canvas, splats ? 0 : meshes.length > 0 ? MESH_DEPTH : CLOUD_DEPTH))
}

function draw(canvas: Canvas, camera: Camera, picture: Picture, painted: Map<PreviewMaterial, Painted>): void {
  const { meshes, pointClouds, splats, up } = picture
  const pace: Pace = { left: MAX_SAMPLES }
  if (splats) drawSplats(canvas, camera, splats, pace)
  const scratch = new Float32Array(
    [...meshes, ...pointClouds].reduce((most, { points }) => Math.max(most, points.length), 0),
  )
  const surfacesOf = (isBlend: boolean) => meshes.filter(({ material }) => (material.alpha === 'blend') === isBlend)
  for (const surface of surfacesOf(false))
    drawSurface(canvas, camera, surface, painted.get(surface.material)!, false, scratch, pace)
  drawClouds(canvas, camera, pointClouds, up, scratch, pace)
  for (const surface of surfacesOf(true))
    drawSurface(canvas, camera, surface, painted.get(surface.material)!, true, scratch, pace)
}

/** Decodes the images of all materials, smaller the more there are. */
async function paintedMaterials(looks: PreviewMaterial[]): Promise<Map<PreviewMaterial, Painted>> {
  const all = [...new Set(looks)]
  const sources = new Set(all.flatMap(({ image, emissiveImage }) => [image?.source, emissiveImage?.source]))
  const side = sources.size <= 16 ? 1024 : sources.size <= 64 ? 512 : 256
  const decoded = new Map<object, ReturnType<typeof textureOf>>()
  const read = (image: PreviewMaterial['image']) => {
    if (!image) return undefined
    const known = decoded.get(image.source) ?? textureOf(image, side)
    decoded.set(image.source, known)
    return known.then((texture) => texture && { ...texture, wrapS: image.wrapS, wrapT: image.wrapT })
  }
  const painted = new Map<PreviewMaterial, Painted>()
  // One at a time: decoders use much memory.
  for (const material of all)
    painted.set(material, { image: await read(material.image), emissiveImage: await read(material.emissiveImage) })
  return painted
}

async function encode(rgb: Uint8Array): Promise<Preview> {
  const sharp = await imageLibrary()
  const bytes = await sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .webp({ quality: 88, effort: 3 })
    .toBuffer()
  return { bytes, mimeType: 'image/webp', width: WIDTH, height: HEIGHT }
}
