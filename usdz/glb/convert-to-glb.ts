import { type Root, WebIO } from '@gltf-transform/core'
import {
  KHRMaterialsClearcoat,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsSpecular,
  KHRMaterialsVariants,
  KHRTextureTransform,
} from '@gltf-transform/extensions'
import { type ConvertOptions, resolveOptions } from '../options/options.ts'
import type { Note } from '../report.ts'
import type { GlbVariant } from './materials/part-materials.ts'
import { writeDocument } from './write-document.ts'

/** What was written. Counts refer to the GLB; `notes` lists what was changed or left out. */
export type GlbReport = {
  triangles: number
  vertices: number
  nodes: number
  meshes: number
  materials: number
  textures: number
  animations: number
  skins: number
  morphTargets: number
  /** The material variants; without a selected one, the default materials are those of none. */
  variants: GlbVariant[]
  /** The length of the animation in seconds; absent without one. */
  duration?: number
  notes: Note[]
}

const extensions = [
  KHRMaterialsClearcoat,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsSpecular,
  KHRMaterialsVariants,
  KHRTextureTransform,
]

/**
 * Converts a USDZ package, from any program, to a GLB (binary glTF 2.0) in metres with y up. What glTF cannot express
 * is in the notes of the report. Equal input gives equal bytes.
 * @throws ConversionError when the package is malformed, unsupported or exceeds a limit.
 */
export async function convertToGlb(
  usdz: Uint8Array,
  options: Pick<ConvertOptions, 'limits'> = {},
): Promise<{ glb: Uint8Array; report: GlbReport }> {
  const { limits } = resolveOptions(options)
  const { document, triangles, duration, variants, notes } = await writeDocument(usdz, limits)
  const glb = await new WebIO().registerExtensions(extensions).writeBinary(document)
  const contents = document.getRoot()
  return {
    glb,
    report: {
      triangles,
      vertices: verticesOf(contents),
      nodes: contents.listNodes().length,
      meshes: contents.listMeshes().length,
      materials: contents.listMaterials().length,
      textures: contents.listTextures().length,
      animations: contents.listAnimations().length,
      skins: contents.listSkins().length,
      morphTargets: contents.listMeshes().reduce((sum, mesh) => sum + mesh.getWeights().length, 0),
      variants,
      ...(duration !== undefined && { duration }),
      notes,
    },
  }
}

const verticesOf = (contents: Root): number =>
  contents
    .listMeshes()
    .flatMap((mesh) => mesh.listPrimitives())
    .reduce((sum, primitive) => sum + (primitive.getAttribute('POSITION')?.getCount() ?? 0), 0)
