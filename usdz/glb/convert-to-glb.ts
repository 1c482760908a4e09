import { Document, Logger, NodeIO } from '@gltf-transform/core'
import {
  KHRMaterialsClearcoat,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsSpecular,
  KHRTextureTransform,
} from '@gltf-transform/extensions'
import { malformed } from '../errors.ts'
import { type ConvertOptions, type Limits, resolveOptions } from '../options.ts'
import { createNotes, type Note } from '../report.ts'
import { composeStage } from '../stage/compose-stage.ts'
import { type OpenPackage, openPackage, readingError } from '../stage/open-package.ts'
import { areFinite } from '../stage/usd-prim.ts'
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
  const opened = openPackage(usdz, limits.bytes)
  try {
    return await write(opened, limits)
  } catch (error) {
    throw readingError('The package cannot be read', error)
  }
}

async function write(opened: OpenPackage, limits: Limits): Promise<{ glb: Uint8Array; report: GlbReport }> {
  const notes = createNotes()
  const document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT))
  const buffer = document.createBuffer()
  const scene = document.createScene('Scene')
  document.getRoot().setDefaultScene(scene)

  const stage = composeStage(opened, notes)
  writeAsset(stage, document)
  const writer = animationWriter(document, buffer)
  const placing = { document, time: stageTime(stage), writer, notes }
  const nodes = writeNodes(stage, placing, scene)
  const store = textureStore(document, { fileAt: opened.fileAt, maxPixels: limits.texturePixels }, notes)
  const materials = materialWriter(stage, document, store, notes)
  const triangles = await writeMeshes(stage, nodes, placing, buffer, materials, limits)

  assertFinite(document)
  // Neither may be empty.
  if (scene.listChildren().length === 0) scene.dispose()
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

/** @throws ConversionError when numbers overflow in the result, although each of the package is finite. */
function assertFinite(document: Document): void {
  for (const accessor of document.getRoot().listAccessors()) {
    if (!areFinite(accessor.getArray() ?? [])) {
      throw malformed('The values of the package are too large: they are not finite in single precision.')
    }
  }
}
