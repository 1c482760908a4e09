import type { Look } from '../../../../usdz/index.ts'
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

/** Samples that may be looked at for one picture: some seconds. */
const MAX_SAMPLES = 3e9
/** How strong edges and hollows are: a mesh has its light, points have nothing else. */
const MESH_DEPTH = 6
const CLOUD_DEPTH = 16

/** A picture of a drawing as WebP; null when it draws nothing, or would take too long. */
export async function render(picture: Picture): Promise<Preview | null> {
  const points = visiblePoints(picture)
  if (points.length === 0) return null
  const { surfaces, splats } = picture
  const painted = await paintedLooks(surfaces.map(({ look }) => look))
  // Splats are soft: they need no more than one sample a pixel.
  const canvas = blankCanvas(splats ? 1 : SAMPLES)
  try {
    draw(canvas, cameraFor(points, picture.up), picture, painted)
  } catch (error) {
    if (error instanceof TooMuch) return null
    throw error
  }
  return encode(shade(canvas, splats ? 0 : surfaces.length > 0 ? MESH_DEPTH : CLOUD_DEPTH))
}

function draw(canvas: Canvas, camera: Camera, picture: Picture, painted: Map<Look, Painted>): void {
  const { surfaces, clouds, splats, up } = picture
  const pace: Pace = { left: MAX_SAMPLES }
  if (splats) drawSplats(canvas, camera, splats, pace)
  const scratch = new Float32Array(
    [...surfaces, ...clouds].reduce((most, { points }) => Math.max(most, points.length), 0),
  )
  const surfacesOf = (isBlend: boolean) => surfaces.filter(({ look }) => (look.alpha === 'blend') === isBlend)
  for (const surface of surfacesOf(false))
    drawSurface(canvas, camera, surface, painted.get(surface.look)!, false, scratch, pace)
  drawClouds(canvas, camera, clouds, up, scratch, pace)
  for (const surface of surfacesOf(true))
    drawSurface(canvas, camera, surface, painted.get(surface.look)!, true, scratch, pace)
}

/** The images of all looks, the smaller the more there are. */
async function paintedLooks(looks: Look[]): Promise<Map<Look, Painted>> {
  const all = [...new Set(looks)]
  const sources = new Set(all.flatMap(({ image, emissiveImage }) => [image?.source, emissiveImage?.source]))
  const side = sources.size <= 16 ? 1024 : sources.size <= 64 ? 512 : 256
  const decoded = new Map<object, ReturnType<typeof textureOf>>()
  const read = (image: Look['image']) => {
    if (!image) return undefined
    const known = decoded.get(image.source) ?? textureOf(image, side)
    decoded.set(image.source, known)
    return known.then((texture) => texture && { ...texture, wrapS: image.wrapS, wrapT: image.wrapT })
  }
  const painted = new Map<Look, Painted>()
  // One after the other: decoders take memory.
  for (const look of all)
    painted.set(look, { image: await read(look.image), emissiveImage: await read(look.emissiveImage) })
  return painted
}

async function encode(rgb: Uint8Array): Promise<Preview> {
  const sharp = await imageLibrary()
  const bytes = await sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .webp({ quality: 88, effort: 3 })
    .toBuffer()
  return { bytes, mimeType: 'image/webp', width: WIDTH, height: HEIGHT }
}
