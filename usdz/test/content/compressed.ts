import { type Document, NodeIO } from '@gltf-transform/core'
import {
  ALL_EXTENSIONS,
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRTextureBasisu,
} from '@gltf-transform/extensions'
import draco3d from 'draco3dgltf'
import { MeshoptEncoder } from 'meshoptimizer'
import { gradient, ktx2 } from './ktx2.ts'
import { givenModel } from './models.ts'

const prepare: Record<'draco' | 'meshopt' | 'ktx2', (document: Document) => Promise<void>> = {
  async draco(document) {
    document.createExtension(KHRDracoMeshCompression).setRequired(true)
  },
  async meshopt(document) {
    const extension = document.createExtension(EXTMeshoptCompression).setRequired(true)
    extension.setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.FILTER })
  },
  async ktx2(document) {
    document.createExtension(KHRTextureBasisu).setRequired(true)
    const image = await ktx2(await gradient(16, 16, false), { isUASTC: true, generateMipmap: false })
    const texture = document
      .createTexture('Gradient')
      .setMimeType('image/ktx2')
      .setImage(image as Uint8Array<ArrayBuffer>)
    const [material] = document.getRoot().listMaterials()
    material!.setBaseColorTexture(texture)
  },
}

/** A square whose geometry or texture is compressed with the named glTF extension. */
export async function compressed(by: keyof typeof prepare): Promise<Uint8Array> {
  const model = givenModel()
  const { document } = model
  model.node('Square', model.mesh('Square', model.square(document.createMaterial('Paint'))))
  await prepare[by](document)
  await MeshoptEncoder.ready
  return await new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'draco3d.encoder': await draco3d.createEncoderModule(), 'meshopt.encoder': MeshoptEncoder })
    .writeBinary(document)
}
