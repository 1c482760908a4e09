import { assertValidPackage } from './check/valid-package.ts'
import { glbOfMesh } from './meshes/mesh-glb.ts'
import { type ConvertOptions, resolveOptions } from './options/options.ts'
import { writePackage } from './package/zip.ts'
import { assetInfoOf } from './read/asset-info.ts'
import { noteLeftOutExtras } from './read/left-out-extras.ts'
import { readGlb } from './read/read-glb.ts'
import { type ConversionReport, createNotes, type Notes } from './report.ts'
import { buildScene } from './scene/build-scene.ts'
import { meshoptSimplifier, noteSimplification } from './scene/geometry/simplify.ts'
import {
  type MaterialVariants,
  noteVariantVertexColors,
  readVariants,
  shownVariant,
} from './scene/materials/material-variants.ts'
import { materialSource } from './scene/materials/read-materials.ts'
import { sizeOf } from './scene/model-size.ts'
import type { MeshPart, Scene, SceneNode } from './scene/scene.ts'
import { convertSplats } from './splats/convert-splats.ts'
import { readSplatPly } from './splats/read-splat-ply.ts'
import { planSurfaces } from './textures/surfaces/plan-surfaces.ts'
import { textureFiles } from './textures/texture-files.ts'
import { bakeVertexColors } from './textures/vertex-colors/bake-vertex-colors.ts'
import { multiplyVertexColors } from './textures/vertex-colors/vertex-color-primvars.ts'
import { writeCrate } from './usd/crate/write-crate.ts'
import { anchorImagePath } from './usd/write-anchor.ts'
import { sceneLayer, stageNames } from './usd/write-scene.ts'

/**
 * Converts a GLB (binary glTF 2.0), or the mesh of a PLY, STL or OBJ, to a USDZ package for Apple's AR viewers: one
 * .usdc layer and its images. The profile `spec` also takes the Gaussian splats of a PLY. The package is validated before
 * it is returned. Equal input gives equal bytes.
 * @returns the package, and a report of what was written, changed or left out.
 * @throws ConversionError when the GLB is malformed, unsupported or exceeds a limit.
 */
export async function convert(
  glb: Uint8Array,
  options: ConvertOptions = {},
): Promise<{ usdz: Uint8Array; report: ConversionReport }> {
  const settings = resolveOptions(options)
  const notes = createNotes()
  const { bytes, triangles } = settings.limits
  const { anchor } = settings
  const anchorImage = anchor?.type === 'image' ? [{ name: anchorImagePath(anchor), parts: [anchor.image] }] : []
  const isReadable = glb instanceof Uint8Array && glb.length <= bytes
  const splats = isReadable && settings.profile === 'spec' ? readSplatPly(glb, triangles) : undefined
  if (splats) return convertSplats(splats, settings, anchorImage)
  const mesh = isReadable ? glbOfMesh(glb, triangles) : undefined
  for (const { code, message } of mesh?.leftOut ?? []) notes.leftOut(code, message)
  const model = await readGlb(
    mesh?.glb ?? glb,
    mesh ? { ...settings.limits, bytes: mesh.glb.length } : settings.limits,
    notes,
  )
  noteLeftOutExtras(model, notes)

  const { profile, limits } = settings
  const variants = readVariants(model, settings.variant)
  const materials = materialSource(model, variants, notes, profile === 'realitykit' ? profile : 'preview')
  const meshopt = settings.maxTriangles === undefined ? undefined : await meshoptSimplifier()
  const scene = buildScene(model, settings, materials, stageNames, notes, meshopt)

  const files = textureFiles({ maxPixels: limits.texturePixels, bakes: profile !== 'spec' }, notes)
  const parts = partsOf(scene)
  noteSimplification(scene, trianglesOf(parts), settings.maxTriangles, notes)
  const { maxTextureSize } = settings
  noteVariantVertexColors(parts, notes)
  if (profile !== 'spec') await bakeVertexColors(parts, files, notes, maxTextureSize)
  else await multiplyVertexColors(parts, files, notes)
  const used = [
    ...new Set(parts.flatMap(({ material, variants: others = [] }) => [...(material ? [material] : []), ...others])),
  ]
  const surfaces = await planSurfaces(used, { profile, maxTextureSize }, files, notes)

  const layer = writeCrate(sceneLayer(scene, surfaces, variants, assetInfoOf(model, notes), settings))
  const usdz = writePackage([{ name: 'model.usdc', parts: layer }, ...files.entries(), ...anchorImage])
  const splatCount = splatsIn(scene.nodes)
  // Apple's viewers do not know the type.
  assertValidPackage(usdz, ...(splatCount > 0 ? (['ARKitPrimTypeChecker'] as const) : []))
  const counts = reportOf(scene, surfaces.size, files.entries().length, notes)
  return {
    usdz,
    report: {
      ...counts,
      ...(splatCount > 0 && { splats: splatCount }),
      variants: variantsOf(parts, variants),
      size: sizeOf(scene, settings.scale),
      ...(mesh && { metersPerUnit: settings.scale }),
    },
  }
}

/** Lists the variants that change something, and which one is shown: none for a look of its own. */
function variantsOf(parts: readonly MeshPart[], variants: MaterialVariants): ConversionReport['variants'] {
  const shown = shownVariant(parts, variants)
  if (shown === undefined) return []
  return variants.titles.map((name, index) => ({ name, index, selected: index === shown }))
}

function partsOf({ nodes, deforming }: Scene): MeshPart[] {
  const partsBelow = (node: SceneNode): MeshPart[] => [...node.parts, ...node.children.flatMap(partsBelow)]
  return [...nodes.flatMap(partsBelow), ...(deforming?.parts ?? [])]
}

const splatsIn = (nodes: readonly SceneNode[]): number =>
  nodes.reduce(
    (sum, { splats = [], children }) =>
      splats.reduce((own, one) => own + one.splats.opacities.length, sum) + splatsIn(children),
    0,
  )

const trianglesOf = (parts: readonly MeshPart[]) =>
  parts.reduce((total, { geometry }) => total + geometry.indices.length / 3, 0)

function reportOf(
  scene: Scene,
  materials: number,
  textures: number,
  notes: Notes,
): Omit<ConversionReport, 'size' | 'variants'> {
  const { deforming, clips } = scene
  const parts = partsOf(scene)
  const sum = (count: (part: MeshPart) => number) => parts.reduce((total, part) => total + count(part), 0)
  return {
    triangles: trianglesOf(parts),
    vertices: sum(({ geometry }) => geometry.points.length / 3),
    meshes: parts.length,
    materials,
    textures,
    animations: clips.length,
    skins: deforming?.skins ?? 0,
    morphTargets: deforming?.parts.reduce((total, { shapes }) => total + shapes.length, 0) ?? 0,
    clips,
    ...(scene.simplification && { simplification: scene.simplification }),
    notes: notes.list(),
  }
}
