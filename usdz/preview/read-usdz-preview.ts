import { writeDocument } from '../glb/write-document.ts'
import { type ConvertOptions, resolveOptions } from '../options/options.ts'
import { documentModel } from '../read/read-glb.ts'
import { createNotes } from '../report.ts'
import type { Preview } from './preview.ts'
import { previewOf } from './read-glb-preview.ts'

/**
 * Reads a USDZ package for a preview: its stage at rest, with references, selected variants, skeletons and instances.
 * Only colours, opacities and emission of materials are read.
 * @throws ConversionError when the package is malformed, unsupported or exceeds a limit.
 */
export async function readUsdzPreview(usdz: Uint8Array, limits: ConvertOptions['limits'] = {}): Promise<Preview> {
  const { limits: most } = resolveOptions({ limits })
  const { document, notes } = await writeDocument(usdz, most, 'color')
  const preview = previewOf(documentModel(document), most, createNotes())
  return { ...preview, notes: notes.map(({ message }) => message) }
}
