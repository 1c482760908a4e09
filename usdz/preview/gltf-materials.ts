import type { Material, Pixels, SourceImage, TextureRef } from '../scene/materials/material.ts'
import type { Geometry } from '../scene/scene.ts'
import { decodePixels } from '../textures/images/process-image.ts'
import { inspectImage } from '../textures/images/usable-image.ts'
import type { PreviewImage, PreviewMaterial } from './preview.ts'

/**
 * Decodes images on demand and shares equal ones.
 * @param mostPixels of all images together; images beyond it are left out.
 */
function imageReader(mostPixels: number) {
  const sources = new Map<SourceImage, PreviewImage['source']>()
  let pixels = 0
  return (image: SourceImage): PreviewImage['source'] => {
    const known = sources.get(image)
    if (known) return known
    const read = async (side: number): Promise<Pixels | undefined> => {
      const usable = await inspectImage(image)
      if (!('header' in usable)) return undefined
      const { width, height } = usable.header
      pixels += width * height
      if (pixels > mostPixels || width * height === 0) return undefined
      const smaller = Math.min(1, side / Math.max(width, height))
      const size = {
        width: Math.max(1, Math.round(width * smaller)),
        height: Math.max(1, Math.round(height * smaller)),
      }
      return decodePixels(usable, size).catch(() => undefined)
    }
    const source = { pixels: read }
    sources.set(image, source)
    return source
  }
}

/** Converts materials for the preview, each once. */
export function previewMaterials(mostPixels: number) {
  const sourceOf = imageReader(mostPixels)
  const materials = new Map<Material, PreviewMaterial>()
  const drawn = ({ image, wrapS, wrapT }: TextureRef): PreviewImage => ({ wrapS, wrapT, source: sourceOf(image) })

  return (material: Material, hasUvs: boolean): PreviewMaterial => {
    const known = hasUvs ? materials.get(material) : undefined
    if (known) return known
    const { baseColorTexture: image, emissiveTexture: glow, transmission } = material
    // Transmission is approximated by opacity.
    const passing = (transmission?.factor ?? 0) * 0.7
    const made: PreviewMaterial = {
      color: material.baseColor,
      opacity: material.opacity * (1 - passing),
      ...(hasUvs && image && { image: drawn(image) }),
      alpha: passing > 0 ? 'blend' : material.alpha,
      alphaCutoff: material.alphaCutoff,
      emissive: hasUvs || !glow ? material.emissive : [0, 0, 0],
      ...(hasUvs && glow && isSamplingAlike(image ?? glow, glow) && { emissiveImage: drawn(glow) }),
      isUnlit: material.unlit,
      doubleSided: material.doubleSided,
    }
    if (glow && !made.emissiveImage) made.emissive = [0, 0, 0]
    if (hasUvs) materials.set(material, made)
    return made
  }
}

/** Returns the transformed texture coordinates of the base colour or emissive texture. */
export function uvsOf({ uvs }: Geometry, { baseColorTexture, emissiveTexture }: Material): Float32Array | undefined {
  const ref = baseColorTexture ?? emissiveTexture
  const set = ref && typeof ref.texCoord === 'number' ? uvs[ref.texCoord] : undefined
  if (!set || !ref?.transform) return set
  const { offset, rotation, scale } = ref.transform
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)]
  const moved = new Float32Array(set.length)
  // KHR_texture_transform: offset + rotation · scale · uv, counter-clockwise with v downwards.
  for (let i = 0; i < set.length; i += 2) {
    const [u, v] = [set[i]! * scale[0], set[i + 1]! * scale[1]]
    moved[i] = offset[0] + cos * u + sin * v
    moved[i + 1] = offset[1] - sin * u + cos * v
  }
  return moved
}

const isSamplingAlike = (a: TextureRef, b: TextureRef) =>
  a.texCoord === b.texCoord && JSON.stringify(a.transform) === JSON.stringify(b.transform)
