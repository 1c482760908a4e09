import { numberOf, textOf, vectorOf } from '../check/reader/read-values.ts'
import type { ZipEntry } from '../check/reader/read-zip.ts'
import type { Stage, StagePrim } from '../check/reader/stage.ts'
import type { Color, SourceImage, Wrap } from '../scene/materials/material.ts'
import { imageReader } from './gltf-materials.ts'
import type { PreviewImage, PreviewMaterial } from './preview.ts'
import { defaultOf } from './usd-transforms.ts'

export type UsdMaterials = ReturnType<typeof usdMaterials>

const grey: Color = [0.62, 0.62, 0.62]
const plain: PreviewMaterial = {
  color: grey,
  opacity: 1,
  alpha: 'opaque',
  alphaCutoff: 0.5,
  emissive: [0, 0, 0],
  isUnlit: false,
  doubleSided: true,
}

/** Reads the visible properties of USD materials. Source: "UsdPreviewSurface Specification" of OpenUSD. */
export function usdMaterials(stage: Stage, layer: string, entries: readonly ZipEntry[], mostPixels: number) {
  const { crate } = stage
  const folder = layer.slice(0, layer.lastIndexOf('/') + 1)
  const files = new Map(entries.map((entry) => [entry.name, entry]))
  const images = new Map<string, SourceImage>()
  const sourceOf = imageReader(mostPixels)
  const known = new Map<string, { name: string | undefined; material: PreviewMaterial }>()

  const rest = (prim: StagePrim, name: string) => defaultOf(crate, prim.properties.get(name))
  /** Returns the shader connected to an input, if it has the given id. */
  const behind = (prim: StagePrim, input: string, id: RegExp): StagePrim | undefined => {
    const path = prim.properties.get(input)?.connections[0]
    const shader = path === undefined ? undefined : stage.primAt(crate.paths.parent(path))
    return shader && id.test(textOf(crate, rest(shader, 'info:id')) ?? '') ? shader : undefined
  }
  const imageOf = (texture: StagePrim): PreviewImage | undefined => {
    const asset = textOf(crate, rest(texture, 'inputs:file'))?.replace(/^\.\//, '')
    const entry = asset === undefined ? undefined : (files.get(`${folder}${asset}`) ?? files.get(asset))
    if (entry?.method !== 0) return undefined
    const source = images.get(entry.name) ?? { name: entry.name, bytes: entry.data }
    images.set(entry.name, source)
    const wrap = (name: string) => wraps[textOf(crate, rest(texture, name)) ?? ''] ?? 'clamp'
    return { wrapS: wrap('inputs:wrapS'), wrapT: wrap('inputs:wrapT'), source: sourceOf(source) }
  }
  const colorOf = (prim: StagePrim, input: string): Color | undefined => {
    const value = vectorOf(crate, rest(prim, input))
    return value && value.length >= 3 && value.every(Number.isFinite) ? [value[0]!, value[1]!, value[2]!] : undefined
  }

  const read = (prim: StagePrim, doubleSided: boolean): { name: string | undefined; material: PreviewMaterial } => {
    const shaders = prim.children.filter(({ type }) => type === 'Shader')
    const surface =
      behind(prim, 'outputs:surface', previewSurface) ??
      shaders.find((shader) => textOf(crate, rest(shader, 'info:id')) === 'UsdPreviewSurface')
    if (!surface) return { name: undefined, material: { ...plain, doubleSided } }
    const texture = behind(surface, 'inputs:diffuseColor', uvTexture)
    const glow = behind(surface, 'inputs:emissiveColor', uvTexture)
    const seen = texture ?? glow
    const reader = seen && behind(seen, 'inputs:st', /^UsdPrimvarReader_float2$/)
    const image = texture && imageOf(texture)
    const glowing = glow && imageOf(glow)
    const isCut = (numberOf(crate, rest(surface, 'inputs:opacityThreshold')) ?? 0) > 0
    const opacity = numberOf(crate, rest(surface, 'inputs:opacity')) ?? 1
    const isThrough = opacity < 1 || behind(surface, 'inputs:opacity', uvTexture) !== undefined
    const material: PreviewMaterial = {
      color: (texture
        ? image && (colorOf(texture, 'inputs:scale') ?? [1, 1, 1])
        : colorOf(surface, 'inputs:diffuseColor')) ?? [0.18, 0.18, 0.18],
      opacity,
      ...(image && { image }),
      alpha: isCut ? 'mask' : isThrough ? 'blend' : 'opaque',
      alphaCutoff: numberOf(crate, rest(surface, 'inputs:opacityThreshold')) ?? 0.5,
      emissive: glow
        ? glowing
          ? (colorOf(glow, 'inputs:scale') ?? [1, 1, 1])
          : [0, 0, 0]
        : (colorOf(surface, 'inputs:emissiveColor') ?? [0, 0, 0]),
      ...(glowing && { emissiveImage: glowing }),
      isUnlit: false,
      doubleSided,
    }
    return { name: reader && textOf(crate, rest(reader, 'inputs:varname')), material }
  }

  return {
    /** Returns the bound material of a prim. */
    materialOf(prim: StagePrim): StagePrim | undefined {
      const path = prim.properties.get('material:binding')?.targets[0]
      return path === undefined ? undefined : stage.primAt(path)
    },
    /** Returns the preview material and the name of the texture coordinates it uses. */
    previewMaterialOf(material: StagePrim | undefined, doubleSided: boolean) {
      if (!material) return { name: undefined, material: { ...plain, doubleSided } }
      const key = `${material.number} ${doubleSided}`
      const made = known.get(key) ?? read(material, doubleSided)
      known.set(key, made)
      return made
    },
  }
}

const previewSurface = /^UsdPreviewSurface$/
const uvTexture = /^UsdUVTexture$/
const wraps: Record<string, Wrap> = { repeat: 'repeat', mirror: 'mirror', clamp: 'clamp', black: 'clamp' }
