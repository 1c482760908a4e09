import { Document, Logger } from '@gltf-transform/core'
import { malformed } from '../errors.ts'
import type { Limits } from '../options/options.ts'
import { createNotes, type Note } from '../report.ts'
import { composeStage } from '../stage/compose-stage.ts'
import { type OpenPackage, openPackage, readingError } from '../stage/open-package.ts'
import { areFinite } from '../stage/usd-prim.ts'
import { writeAsset } from './asset.ts'
import { lookStages } from './look-stages.ts'
import { materialWriter, type Surface } from './materials/material-writer.ts'
import { type GlbVariant, partMaterials } from './materials/part-materials.ts'
import { textureStore } from './materials/texture-store.ts'
import { animationWriter } from './motion/animation-writer.ts'
import { stageTime } from './motion/stage-time.ts'
import { writeMeshes } from './scene-meshes.ts'
import { writeNodes } from './scene-writer.ts'

/** A package as a glTF document. `duration` is the length of its animation in seconds. */
export type WrittenDocument = {
  document: Document
  triangles: number
  duration: number | undefined
  variants: GlbVariant[]
  notes: Note[]
}

/**
 * Writes a USDZ package as a glTF document, in metres with y up.
 * @throws ConversionError when the package is malformed, unsupported or exceeds a limit.
 */
export async function writeDocument(
  usdz: Uint8Array,
  limits: Limits,
  surface: Surface = 'complete',
): Promise<WrittenDocument> {
  const opened = openPackage(usdz, limits.bytes)
  try {
    return await write(opened, limits, surface)
  } catch (error) {
    throw readingError('The package cannot be read', error)
  }
}

async function write(opened: OpenPackage, limits: Limits, surface: Surface): Promise<WrittenDocument> {
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
  // A preview shows no variants.
  const looks = surface === 'complete' ? lookStages(opened, stage, notes) : []
  const write = materialWriter(document, store, notes, surface)
  const materials = partMaterials(stage, looks, write, document, notes)
  const triangles = await writeMeshes(stage, nodes, placing, buffer, materials, limits)
  const variants = materials.finish()

  if (writer.duration() !== undefined && ['autoPlay', 'playbackMode'].some(stage.metadata.has)) {
    notes.leftOut('playback', 'How viewers play the animation (autoPlay, playbackMode) is left out.')
  }
  // 2 is what a package of a GLB asks for by itself.
  if (stage.metadata.number('customLayerData', 'Apple', 'preferredIblVersion') === 1) {
    notes.leftOut('quick_look_light', 'That AR Quick Look shows the classic light (preferredIblVersion) is left out.')
  }
  assertFinite(document)
  // Neither may be empty.
  if (scene.listChildren().length === 0) scene.dispose()
  if (document.getRoot().listAccessors().length === 0) buffer.dispose()
  return { document, triangles, duration: writer.duration(), variants, notes: notes.list() }
}

/** @throws ConversionError when numbers overflow in the result, although each of the package is finite. */
function assertFinite(document: Document): void {
  for (const accessor of document.getRoot().listAccessors()) {
    if (!areFinite(accessor.getArray() ?? [])) {
      throw malformed('The values of the package are too large: they are not finite in single precision.')
    }
  }
}
