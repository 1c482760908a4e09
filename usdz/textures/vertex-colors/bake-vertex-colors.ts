import type { Notes } from '../../report.ts'
import type { Color, GeneratedImage, Material, TextureRef } from '../../scene/materials/material.ts'
import { uniqueNames } from '../../scene/prim-names.ts'
import type { Geometry, MeshPart } from '../../scene/scene.ts'
import type { TextureFiles } from '../texture-files.ts'
import {
  type Corners,
  cellPerTriangle,
  colorCodes,
  cornerCoordinates,
  distinctCells,
  gridOf,
  paintCells,
} from './color-cells.ts'
import { tintedAtlas } from './tinted-atlas.ts'
import { tintedTexture } from './tinted-texture.ts'

/** An image of baked vertex colours, and the coordinates of each geometry in it. */
export type ColorAtlas = { image: GeneratedImage; coordinates: Map<Geometry, Float32Array>; scale?: number }

/** The largest side that viewers support. */
const largestSide = 2048

/**
 * The largest side of an image that is finer than its texture, and the pixels that all such images may have: a quarter of
 * what viewers hold, since other textures are reduced to make room.
 */
const [finerSide, finerPixels] = [1024, 12_500_000]

/** A smaller loss of resolution is not visible. */
const sharp = 0.9

/**
 * Bakes vertex colours into images, since viewers show them only without a material. Each material with vertex colours
 * is copied; the base colour texture of the copy contains the interpolated colours of every triangle, multiplied by the
 * original texture. Materials and geometries of the parts are replaced.
 * @param maxSide the largest side of an image with a texture in it.
 */
export async function bakeVertexColors(
  parts: readonly MeshPart[],
  files: TextureFiles,
  notes: Notes,
  maxSide = largestSide,
): Promise<void> {
  const groups = new Map<Material, { geometries: Set<Geometry>; parts: MeshPart[] }>()
  for (const part of parts) {
    const { material, geometry } = part
    if (!material || !geometry.colors) continue
    const group = groups.get(material) ?? { geometries: new Set(), parts: [] }
    groups.set(material, group)
    group.parts.push(part)
    group.geometries.add(geometry)
  }
  const uniqueName = uniqueNames()
  for (const { material } of parts) if (material) uniqueName(material.name, material.name)
  const sides = {
    largest: Math.min(largestSide, maxSide),
    finer: Math.min(finerSide, Math.floor(Math.sqrt(finerPixels / groups.size))),
  }
  for (const [material, group] of groups) {
    const baked = await bake(material, [...group.geometries], sides, uniqueName, files, notes)
    for (const part of group.parts) {
      // A variant with the same material has the colours too.
      if (part.variants) part.variants = part.variants.map((other) => (other === material ? baked.material : other))
      part.material = baked.material
      part.geometry = baked.geometries.get(part.geometry)!
    }
  }
}

type Baked = { material: Material; geometries: Map<Geometry, Geometry> }

async function bake(
  material: Material,
  geometries: Geometry[],
  sides: { largest: number; finer: number },
  uniqueName: (name: string, fallback: string) => string,
  files: TextureFiles,
  notes: Notes,
): Promise<Baked> {
  const uniform = uniformColor(geometries)
  if (uniform) return { material: tinted(material, uniform, uniqueName), geometries: bare(geometries) }
  notes.changed('vertex_colors', 'Vertex colours are baked into images: viewers show them only without a material.')
  const texture = material.baseColorTexture && (await files.inspect(material.baseColorTexture.image))
  const hasAlpha = material.alpha !== 'opaque' && geometries.some(({ opacities }) => opacities !== undefined)
  const whole = texture && tintedTexture(material, texture, geometries)
  if (whole) {
    const name = uniqueName(`${material.name}_colors`, 'Material')
    const baseColorTexture = { ...material.baseColorTexture!, image: whole }
    return { material: { ...material, name, baseColorTexture }, geometries: bare(geometries) }
  }
  const atlas = texture
    ? tintedAtlas(material, texture, geometries, sides.largest, sides.finer)
    : plainAtlas(material, geometries, hasAlpha, notes)
  if (!atlas) {
    notes.leftOut(
      'vertex_colors_left_out',
      `The vertex colours of "${material.name}" are left out: too many triangles.`,
    )
    return { material, geometries: bare(geometries) }
  }
  if (atlas.scale !== undefined && atlas.scale < sharp) {
    const percent = Math.max(1, Math.round(atlas.scale * 100))
    const message = `The texture of "${material.name}" has vertex colours that differ where it repeats: it is reduced to ${percent} % of its resolution.`
    notes.changed('vertex_colors_resolution', message)
  }
  const { baseColorTexture: _, ...rest } = material
  const ref: TextureRef = { image: atlas.image, texCoord: 'colors', wrapS: 'clamp', wrapT: 'clamp' }
  const name = uniqueName(`${material.name}_colors`, 'Material')
  const made = new Map<Geometry, Geometry>()
  for (const [geometry, data] of atlas.coordinates) {
    const { colors: __, opacities: ___, ...shape } = geometry
    made.set(geometry, { ...shape, colorUvs: data })
  }
  return { material: { ...rest, name, baseColorTexture: ref }, geometries: made }
}

/** Returns the colour and alpha of all vertices when they are the same. */
function uniformColor(geometries: readonly Geometry[]): [number, number, number, number] | undefined {
  const [r, g, b] = geometries[0]!.colors!
  const a = geometries[0]!.opacities?.[0] ?? 1
  const same = geometries.every(({ colors, opacities }) => {
    for (let i = 0; i < colors!.length; i += 3) {
      if (colors![i] !== r || colors![i + 1] !== g || colors![i + 2] !== b) return false
    }
    return opacities ? opacities.every((value) => value === a) : a === 1
  })
  return same ? [r!, g!, b!, a] : undefined
}

function tinted(
  material: Material,
  [r, g, b, a]: [number, number, number, number],
  uniqueName: (name: string, fallback: string) => string,
): Material {
  if (r === 1 && g === 1 && b === 1 && a === 1) return material
  const [red, green, blue] = material.baseColor
  const baseColor: Color = [red * r, green * g, blue * b]
  return {
    ...material,
    name: uniqueName(`${material.name}_colors`, 'Material'),
    baseColor,
    opacity: material.opacity * a,
  }
}

const bare = (geometries: readonly Geometry[]) =>
  new Map(
    geometries.map((geometry) => {
      const { colors: _, opacities: __, ...shape } = geometry
      return [geometry, shape] as const
    }),
  )

/** Builds an atlas without a texture: one cell for each distinct triple of corner colours. */
function plainAtlas(material: Material, geometries: Geometry[], hasAlpha: boolean, notes: Notes): ColorAtlas {
  const cornersWith = (bits: number): Corners[] =>
    geometries.map((geometry) => ({ geometry, codes: colorCodes(geometry, hasAlpha, bits) }))
  const exact = cornersWith(8)
  let cells = distinctCells(exact) ?? cellPerTriangle(exact)
  if (!cells) {
    let bits = 7
    while (!cells) cells = distinctCells(cornersWith(bits--))
    const message = `The vertex colours of "${material.name}" are rounded to ${bits + 1} bits per channel: there are too many.`
    notes.changed('vertex_colors_rounded', message)
  }
  const grid = gridOf(cells)
  const channels = hasAlpha ? 4 : 3
  const found = cells
  const [width, height] = [grid.columns * grid.pitch, grid.rows * grid.pitch]
  const render = async () => ({ width, height, channels, data: paintCells(found, grid, channels) }) as const
  const name = `${material.name}_colors`
  return {
    image: {
      name,
      key: `colors ${material.name}`,
      width,
      height,
      alpha: hasAlpha,
      lossy: false,
      fixedSize: true,
      render,
    },
    coordinates: new Map(
      geometries.map((geometry, i) => [geometry, cornerCoordinates(found.reads[i]!, found.plain, grid)]),
    ),
  }
}
