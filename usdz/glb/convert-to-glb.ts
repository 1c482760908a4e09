import { Document, Logger, NodeIO } from '@gltf-transform/core'
import {
  KHRMaterialsClearcoat,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsSpecular,
  KHRTextureTransform,
} from '@gltf-transform/extensions'
import { type ConvertOptions, resolveOptions } from '../options.ts'
import { createNotes, type Note } from '../report.ts'
import { composeStage } from '../stage/compose-stage.ts'
import { attempt, openPackage } from '../stage/open-package.ts'
import { writeAsset } from './asset.ts'
import { materialWriter } from './materials/material-writer.ts'
import { textureStore } from './materials/texture-store.ts'
import { animationWriter } from './motion/animation-writer.ts'
import { stageTime } from './motion/stage-time.ts'
import { writeMeshes } from './scene-meshes.ts'
import { writeNodes } from './scene-writer.ts'

/** What was written. Counts refer to the GLB; `notes` lists what was changed or left out. */
export type GlbReport = {
  triangles: number
  nodes: number
  meshes: number
  materials: number
  textures: number
  skins: number
  morphTargets: number
  /** The length of the animation in seconds; absent without one. */
  duration?: number
  notes: Note[]
}

const extensions = [
  KHRMaterialsClearcoat,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsSpecular,
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
  const notes = createNotes()
  const { root, rootName, files } = openPackage(usdz, limits.bytes)
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT))
  const buffer = document.createBuffer()
  const writer = animationWriter(document, buffer)

  const { stage, time, nodes } = attempt(`The layer ${rootName} cannot be read`, () => {
    const stage = composeStage(root, notes)
    const time = stageTime(stage)
    writeAsset(stage, document)
    const scene = document.createScene('Scene')
    document.getRoot().setDefaultScene(scene)
    return { stage, time, nodes: writeNodes(stage, { document, time, writer, notes }, scene) }
  })
  const store = textureStore(document, { layer: rootName, files, maxPixels: limits.texturePixels }, notes)
  const materials = materialWriter(stage, document, store, notes)
  const placing = { document, time, writer, notes }
  const triangles = await writeMeshes(stage, nodes, placing, buffer, materials, limits).catch((error: unknown) =>
    attempt(`The layer ${rootName} cannot be read`, () => {
      throw error
    }),
  )

  // A model without any values has no binary part.
  if (document.getRoot().listAccessors().length === 0) buffer.dispose()
  const glb = await new NodeIO().registerExtensions(extensions).writeBinary(document)
  const contents = document.getRoot()
  const duration = writer.duration()
  return {
    glb,
    report: {
      triangles,
      nodes: contents.listNodes().length,
      meshes: contents.listMeshes().length,
      materials: contents.listMaterials().length,
      textures: contents.listTextures().length,
      skins: contents.listSkins().length,
      morphTargets: contents.listMeshes().reduce((sum, mesh) => sum + mesh.getWeights().length, 0),
      ...(duration !== undefined && { duration }),
      notes: notes.list(),
    },
  }
}
