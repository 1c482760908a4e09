import { Logger, NodeIO } from '@gltf-transform/core'
import {
  ALL_EXTENSIONS,
  EXTMeshFeatures,
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
} from '@gltf-transform/extensions'
import draco3d from 'draco3dgltf'
import { MeshoptDecoder } from 'meshoptimizer'
import { withJson } from '../content/models.ts'
import { type GltfFile, openGlb } from './gltf.ts'

/**
 * Opens a GLB for the evaluator. Draco and meshopt data are decoded by glTF-Transform first; everything else is read here.
 * Feature ids are not read: glTF-Transform fails for those whose tables are elsewhere.
 */
export async function openPlain(glb: Uint8Array): Promise<GltfFile> {
  const file = openGlb(glb)
  if (!(file.json.extensionsUsed ?? []).some((name) => /draco|meshopt/.test(name))) return file
  await MeshoptDecoder.ready
  const io = new NodeIO()
    .setLogger(new Logger(Logger.Verbosity.SILENT))
    .registerExtensions(ALL_EXTENSIONS.filter((extension) => extension !== EXTMeshFeatures))
    .registerDependencies({ 'draco3d.decoder': await draco3d.createDecoderModule(), 'meshopt.decoder': MeshoptDecoder })
  const document = await io.readBinary(underFirstName(glb))
  document.createExtension(KHRDracoMeshCompression).dispose()
  document.createExtension(EXTMeshoptCompression).dispose()
  // A GLB has one buffer: those of fallbacks go.
  const [buffer, ...others] = document.getRoot().listBuffers()
  for (const accessor of document.getRoot().listAccessors()) accessor.setBuffer(buffer!)
  for (const other of others) other.dispose()
  return openGlb(await io.writeBinary(document))
}

/** meshopt was ratified as KHR_meshopt_compression; glTF-Transform supports the same data by its earlier name. */
function underFirstName(glb: Uint8Array): Uint8Array {
  return withJson(glb, (json) => {
    Object.assign(json, JSON.parse(JSON.stringify(json).replaceAll('KHR_meshopt', 'EXT_meshopt')) as object)
  })
}
