import { ConversionError, type Preview, readGlbPreview, readUsdzPreview } from '../../../../usdz/index.ts'
import { extentOf } from '../preview/extent.ts'
import { render } from '../preview/render.ts'
import { type Inspection, ScanFault } from '../processing/inspection.ts'
import { type OpenFile, unread } from './open-file.ts'
import { readWhole } from './read-whole.ts'

/** The largest GLB that is drawn; uploads are limited to 200 MiB. */
const MAX_BYTES = 256 * 2 ** 20
const MAX_TRIANGLES = 5_000_000

/** Reads a binary glTF model in its rest pose. @throws ScanFault */
export const inspectGlb = (file: OpenFile) => inspectModel(file, 'GLB', readGlbPreview)

/** Reads the stage of a USDZ package at rest. @throws ScanFault */
export const inspectUsdz = (file: OpenFile) => inspectModel(file, 'USDZ', readUsdzPreview)

type Read = (bytes: Uint8Array, limits: { bytes: number; triangles: number }) => Promise<Preview>

async function inspectModel(file: OpenFile, fileType: 'GLB' | 'USDZ', read: Read): Promise<Inspection> {
  if (file.size > MAX_BYTES)
    return unread(fileType, `The model is larger than ${MAX_BYTES} bytes: it is kept without a preview.`)
  const bytes = await readWhole(file)
  let drawing: Preview
  try {
    drawing = await read(bytes, { bytes: MAX_BYTES, triangles: MAX_TRIANGLES })
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    if (error.code === 'too_large') return unread(fileType, `${error.message} It is kept without a preview.`)
    throw new ScanFault(error.code === 'malformed' ? 'damaged' : 'unsupported', error.message, { cause: error })
  }
  const { bounds, triangles, points } = extentOf(drawing)
  const preview = bounds && (await render(drawing))
  const found = unread(fileType, ...drawing.notes)
  if (!preview) found.notes.push('The model has nothing that can be drawn: there is no preview.')
  return { ...found, bounds, triangles, points: points > 0 ? points : null, preview }
}
