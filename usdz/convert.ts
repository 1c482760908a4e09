import { checkPackage } from './check/check-package.ts'
import { type ConvertOptions, settle } from './options.ts'
import { writePackage } from './package/zip.ts'
import { readGlb } from './read/read-glb.ts'
import { type ConversionReport, type NoteBook, noteBook } from './report.ts'
import { buildScene } from './scene/build-scene.ts'
import { nameGiver } from './scene/names.ts'
import { materialSource } from './scene/read-materials.ts'
import type { MeshPart, SceneNode } from './scene/scene.ts'
import { bakeVertexColors } from './textures/bake-vertex-colors.ts'
import { planSurfaces } from './textures/plan-surfaces.ts'
import { textureFiles } from './textures/texture-files.ts'
import { readVertexColors } from './textures/vertex-colors.ts'
import { writeCrate } from './usd/crate/write-crate.ts'
import { materialsName, sceneLayer } from './usd/write-scene.ts'

/**
 * Converts a binary glTF 2.0 model to a USDZ package that Apple's AR viewers open: one .usdc layer and its images. The
 * package is checked before it is returned. The same GLB and options give the same bytes.
 * @returns the package, and a report of what was written and of everything shown differently or left out.
 * @throws ConversionError when the GLB is malformed, cannot be shown, or exceeds a limit.
 */
export async function convert(
  glb: Uint8Array,
  options: ConvertOptions = {},
): Promise<{ usdz: Uint8Array; report: ConversionReport }> {
  const settings = settle(options)
  const notes = noteBook()
  const model = await readGlb(glb, settings.limits, notes)

  const topNames = nameGiver()
  topNames(materialsName, materialsName)
  const materials = materialSource(notes)
  const nodes = buildScene(model, settings, materials, topNames, notes)

  const { profile, limits } = settings
  const files = textureFiles({ maxPixels: limits.texturePixels, bakes: profile === 'quicklook' }, notes)
  const parts = nodes.flatMap(partsBelow)
  if (profile === 'quicklook') await bakeVertexColors(parts, files, notes)
  else await readVertexColors(parts, files, notes)
  const surfaces = await planSurfaces(
    [...new Set(parts.flatMap(({ material }) => material ?? []))],
    profile,
    files,
    notes,
  )

  const layer = writeCrate(sceneLayer(nodes, surfaces))
  const usdz = writePackage([{ name: 'model.usdc', parts: layer }, ...files.entries()])
  const problems = checkPackage(usdz)
  if (problems.length > 0)
    throw new Error(`The package written breaks its own rules: ${problems.map(({ message }) => message).join(' ')}`)
  return { usdz, report: reportOf(nodes, surfaces.size, files.entries().length, notes) }
}

const partsBelow = (node: SceneNode): MeshPart[] => [...node.parts, ...node.children.flatMap(partsBelow)]

function reportOf(nodes: SceneNode[], materials: number, textures: number, notes: NoteBook): ConversionReport {
  const report = { triangles: 0, vertices: 0, meshes: 0, materials, textures, animations: 0, skins: 0, morphTargets: 0 }
  const count = (node: SceneNode) => {
    for (const { geometry } of node.parts) {
      report.triangles += geometry.indices.length / 3
      report.vertices += geometry.points.length / 3
      report.meshes++
    }
    node.children.forEach(count)
  }
  nodes.forEach(count)
  return { ...report, notes: notes.list() }
}
