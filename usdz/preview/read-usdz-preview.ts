import { readCrate } from '../check/reader/read-crate.ts'
import { numberOf, textOf } from '../check/reader/read-values.ts'
import { readZip, type ZipEntry } from '../check/reader/read-zip.ts'
import { buildStage, type Stage, type StagePrim } from '../check/reader/stage.ts'
import { ConversionError, malformed, tooLarge } from '../errors.ts'
import { type ConvertOptions, resolveOptions } from '../options.ts'
import { type Matrix, multiply } from '../scene/matrix.ts'
import type { Preview, PreviewMesh } from './preview.ts'
import { usdMaterials } from './usd-materials.ts'
import { trianglesByMaterial } from './usd-meshes.ts'
import { localMatrix } from './usd-transforms.ts'

/** The largest prim depth. */
const maxDepth = 500

/**
 * Reads a USDZ package for a preview: the meshes of its first binary layer with any, with transforms, colours and
 * images of their materials. References, variants, instances and skeletons are not composed.
 * @throws ConversionError when the package or its layer cannot be read, or a limit is exceeded.
 */
export function readUsdzPreview(usdz: Uint8Array, limits: ConvertOptions['limits'] = {}): Preview {
  const { limits: most } = resolveOptions({ limits })
  const notes: string[] = []
  let entries: ZipEntry[]
  try {
    entries = readZip(usdz)
  } catch (error) {
    throw malformed(`The package cannot be read: ${messageOf(error)}`, { cause: error })
  }
  const layers = entries.filter(({ data, method }) => method === 0 && isCrate(data))
  if (entries[0] && !layers.includes(entries[0]))
    notes.push('The first layer of the package is a text layer: only binary layers are read.')
  for (const layer of layers) {
    const drawing = readLayer(layer, entries, most)
    if (drawing.meshes.length > 0) return { ...drawing, notes: [...notes, ...drawing.notes] }
  }
  return { meshes: [], pointClouds: [], up: 'y', notes }
}

const isCrate = (data: Uint8Array) => Buffer.from(data.subarray(0, 8)).toString('latin1') === 'PXR-USDC'
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function readLayer(
  layer: ZipEntry,
  entries: readonly ZipEntry[],
  most: { triangles: number; texturePixels: number },
): Preview {
  try {
    return previewOf(buildStage(readCrate(layer.data)), layer, entries, most)
  } catch (error) {
    if (error instanceof ConversionError) throw error
    // The readers throw plain errors, and so does a DataView read beyond its end.
    throw malformed(`The layer ${layer.name} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}

function previewOf(
  stage: Stage,
  layer: ZipEntry,
  entries: readonly ZipEntry[],
  most: { triangles: number; texturePixels: number },
): Preview {
  const { crate, metadata } = stage
  const metres = numberOf(crate, metadata.get('metersPerUnit')) ?? 0.01
  const root: Matrix = [metres, 0, 0, 0, 0, metres, 0, 0, 0, 0, metres, 0, 0, 0, 0, 1]
  const materials = usdMaterials(stage, layer.name, entries, most.texturePixels)
  const meshes: PreviewMesh[] = []
  let triangles = 0
  let skinned = 0

  const visit = (prim: StagePrim, above: Matrix, bound: StagePrim | undefined, depth: number): void => {
    if (depth > maxDepth) throw tooLarge(`The package has prims more than ${maxDepth} deep.`)
    const text = (name: string) => textOf(crate, prim.properties.get(name)?.value)
    const isHidden = text('visibility') === 'invisible' || /^(?:guide|proxy)$/.test(text('purpose') ?? '')
    // Classes and overs draw nothing themselves.
    if (isHidden || prim.type === 'Material' || prim.type === 'Shader') return
    const { matrix, isReset } = localMatrix(crate, prim)
    const world = isReset ? multiply(root, matrix) : multiply(above, matrix)
    const material = materials.materialOf(prim) ?? bound
    if (prim.type === 'Mesh') {
      if (prim.properties.has('primvars:skel:jointIndices')) skinned++
      for (const surface of trianglesByMaterial(stage, prim, material, materials, most.triangles - triangles)) {
        triangles += surface.indices.length / 3
        meshes.push({ ...surface, transforms: [world] })
      }
    }
    for (const child of prim.children) visit(child, world, material, depth + 1)
  }
  for (const prim of stage.tops) visit(prim, root, undefined, 0)
  const notes = skinned > 0 ? ['Skinned meshes are drawn in their bind pose.'] : []
  const up = textOf(crate, metadata.get('upAxis'))?.toLowerCase() === 'z' ? 'z' : 'y'
  return { meshes, pointClouds: [], up, notes }
}
