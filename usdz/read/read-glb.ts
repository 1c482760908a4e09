import { type Document, type GLTF, Logger, WebIO } from '@gltf-transform/core'
import {
  EXTMeshGPUInstancing,
  KHRMaterialsAnisotropy,
  KHRMaterialsClearcoat,
  KHRMaterialsDiffuseTransmission,
  KHRMaterialsDispersion,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsIridescence,
  KHRMaterialsPBRSpecularGlossiness,
  KHRMaterialsSheen,
  KHRMaterialsSpecular,
  KHRMaterialsTransmission,
  KHRMaterialsUnlit,
  KHRMaterialsVariants,
  KHRMaterialsVolume,
  KHRMeshPrimitiveRestart,
  KHRMeshQuantization,
  KHRNodeVisibility,
  KHRTextureTransform,
} from '@gltf-transform/extensions'
import { ConversionError, malformed, tooLarge, unsupported } from '../errors.ts'
import type { Limits } from '../options/options.ts'
import type { Notes } from '../report.ts'
import { readAccessor } from './buffers/accessors.ts'
import { type BufferViewReader, bufferViewReader } from './buffers/buffer-views.ts'
import { decodeDataUri, readBuffers } from './buffers/buffers.ts'
import { componentType } from './buffers/component-types.ts'
import { readDraco } from './buffers/draco.ts'
import { readContainer } from './container.ts'
import { extensionNote, unknownRequired } from './extensions.ts'
import { isCount, isObject, topLevelLists, type ValidatedGltf } from './json.ts'
import { validateGltf } from './validation/validate.ts'

/**
 * A model as a glTF-Transform document, with its JSON. Lists of both have the same order. `fallbacks` has the image that
 * replaces another one, by their indices, where the other cannot be read.
 */
export type Model = { document: Document; json: ValidatedGltf; fallbacks: ReadonlyMap<number, number> }

/** A model of a document that was not read from a GLB. */
export const documentModel = (document: Document): Model => ({
  document,
  json: Object.fromEntries(topLevelLists.map((name) => [name, []])) as unknown as ValidatedGltf,
  fallbacks: new Map(),
})

const supportedExtensions = [
  EXTMeshGPUInstancing,
  KHRMaterialsAnisotropy,
  KHRMaterialsClearcoat,
  KHRMaterialsDiffuseTransmission,
  KHRMaterialsDispersion,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsIridescence,
  KHRMaterialsPBRSpecularGlossiness,
  KHRMaterialsSheen,
  KHRMaterialsSpecular,
  KHRMaterialsTransmission,
  KHRMaterialsUnlit,
  KHRMaterialsVariants,
  KHRMaterialsVolume,
  KHRMeshPrimitiveRestart,
  KHRMeshQuantization,
  KHRNodeVisibility,
  KHRTextureTransform,
]

/**
 * Reads a GLB and decompresses its meshes. Notes every extension that is left out.
 * @throws ConversionError for anything that is not a readable glTF 2.0 model.
 */
export async function readGlb(glb: Uint8Array, limits: Limits, notes: Notes): Promise<Model> {
  if (glb?.length > limits.bytes) {
    throw tooLarge(`The GLB has ${glb.length} bytes; at most ${limits.bytes} are converted.`)
  }
  const container = readContainer(glb)
  const json = validateGltf(container.json, container.binary)
  const used = names(json.extensionsUsed, 'extensionsUsed')
  const unknown = unknownRequired(names(json.extensionsRequired, 'extensionsRequired'))
  if (unknown.length > 0)
    throw unsupported(`The GLB requires the extension ${unknown.join(', ')}, which is not supported.`)
  for (const name of used) {
    const message = extensionNote(name)
    if (message) notes.leftOut('extension', `${name}: ${message}`)
  }
  const fallbacks = resolveTextureSources(json)
  try {
    return { document: await parse(json, container.binary), json, fallbacks }
  } catch (error) {
    if (error instanceof ConversionError) throw error
    const cause = error instanceof Error ? error.message : String(error)
    throw malformed(`The GLB cannot be read: ${cause}`, { cause: error })
  }
}

/**
 * Builds the document without its data, which is read here: data is not copied unnecessarily, and errors name the
 * accessor.
 */
async function parse(json: ValidatedGltf, binary: Uint8Array | undefined): Promise<Document> {
  const view = await bufferViewReader(json, readBuffers(json, binary))
  const draco = await readDraco(json, view)

  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT)).registerExtensions(supportedExtensions)
  const images = json.images.map((image, index) => ({
    name: image.name,
    mimeType: image.mimeType,
    uri: imageUri(index),
  }))
  const accessors = json.accessors.map(({ name, type, normalized }) => {
    return { name, type, normalized, componentType: componentType.float, count: 0 }
  })
  // glTF-Transform rejects later minor versions, which a reader of 2.0 must accept, and required extensions without a
  // class. Both have been checked above.
  const asset = { version: '2.0' }
  // Cameras are only counted: those of kinds that glTF 2.0 does not have do no harm.
  const cameras = json.cameras.map(() => ({ type: 'perspective', perspective: { yfov: 1, znear: 1 } }))
  const bare = { ...json, asset, cameras, images, accessors, buffers: [], bufferViews: [], extensionsRequired: [] }
  const document = await io.readJSON({ json: bare as unknown as GLTF.IGLTF, resources: imageBytes(json, view) })
  for (const [index, accessor] of document.getRoot().listAccessors().entries()) {
    accessor.setArray(draco.get(index) ?? readAccessor(json, index, view))
  }
  return document
}

/** The URI of an image while the document is built; two underscores mark it as generated. */
const imageUri = (index: number) => `__image${index}`

/** Returns the bytes of embedded images, as views into the file. */
function imageBytes(json: ValidatedGltf, view: BufferViewReader): Record<string, Uint8Array<ArrayBuffer>> {
  const resources: Record<string, Uint8Array<ArrayBuffer>> = {}
  for (const [index, { bufferView, uri }] of json.images.entries()) {
    const bytes = bufferView === undefined ? decodeDataUri(String(uri)) : view(Number(bufferView))
    if (bytes) resources[imageUri(index)] = bytes as Uint8Array<ArrayBuffer>
  }
  return resources
}

/** Extensions that reference an image in another format, most common first. */
const imageExtensions = ['EXT_texture_webp', 'EXT_texture_avif', 'KHR_texture_basisu']

/**
 * Gives every texture a source, as glTF-Transform requires: that of an extension, whose image its own only replaces in
 * other readers; else its own; else an image without bytes, which is reported later.
 * @returns the images that textures have besides that of an extension.
 */
function resolveTextureSources(json: ValidatedGltf): Map<number, number> {
  const fallbacks = new Map<number, number>()
  const isImage = (index: unknown): index is number => isCount(index) && index < json.images.length
  for (const texture of json.textures) {
    const extensions = isObject(texture.extensions) ? texture.extensions : {}
    const sources = imageExtensions.map((name) => (isObject(extensions[name]) ? extensions[name].source : undefined))
    const [source, ...others] = [...sources, texture.source].filter(isImage)
    if (source !== undefined && others[0] !== undefined) fallbacks.set(source, others[0])
    texture.source = source ?? json.images.push({ uri: 'missing' }) - 1
  }
  return fallbacks
}

function names(value: unknown, member: string): string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
    throw malformed(`"${member}" in the GLB is not a list of names.`)
  }
  return value
}
