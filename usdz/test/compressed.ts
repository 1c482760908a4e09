import { type Document, NodeIO } from '@gltf-transform/core'
import { ALL_EXTENSIONS, EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions'
import draco3d from 'draco3dgltf'
import { MeshoptEncoder } from 'meshoptimizer'
import { givenModel } from './models.ts'

const prepare: Record<'draco' | 'meshopt', (document: Document) => Promise<void>> = {
  async draco(document) {
    document.createExtension(KHRDracoMeshCompression).setRequired(true)
  },
  async meshopt(document) {
    const extension = document.createExtension(EXTMeshoptCompression).setRequired(true)
    extension.setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.FILTER })
  },
}

/** A square whose geometry is compressed as the glTF extension of that name says. */
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
