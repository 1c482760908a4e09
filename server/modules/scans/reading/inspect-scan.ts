import { firstBytes } from '../../../platform/storage/types/first-bytes.ts'
import { damaged, type Inspection } from '../processing/inspection.ts'
import { HEAD_BYTES, type Kind, kindOf } from './kind.ts'
import { inspectLas } from './las/las.ts'
import { inspectGlb, inspectUsdz } from './models.ts'
import { inspectObj } from './obj/obj.ts'
import { type OpenFile, unread } from './open-file.ts'
import { inspectHeif, inspectPhoto } from './photo.ts'
import { inspectPly } from './ply/ply.ts'
import { spzPoints } from './spz.ts'

/** Enough bytes for every header that is read. */
const SEEN_BYTES = 64 * 1024

const kept = (fileType: Inspection['fileType'], what: string) => async () =>
  unread(fileType, `${what} are kept as they are: there is no preview of them.`)

const readers: Record<Kind, (file: OpenFile) => Promise<Inspection>> = {
  glb: inspectGlb,
  image: inspectPhoto,
  heif: inspectHeif,
  usdz: inspectUsdz,
  ply: inspectPly,
  obj: inspectObj,
  las: inspectLas,
  e57: kept('E57', 'E57 files'),
  spz: async ({ head }) => ({
    ...unread('SPZ', 'SPZ files are kept as they are: there is no preview of them.'),
    points: spzPoints(head) ?? null,
  }),
  video: kept('VIDEO', 'Videos'),
  other: async () => unread('OTHER', 'The type of the file is not recognised: it is kept as it is.'),
}

/**
 * Detects the type of a file from its bytes, and reads it.
 * @param size total bytes
 * @throws ScanFault if the type is supported and the file damaged
 */
export async function inspectScan(pieces: AsyncIterable<Uint8Array>, size: number): Promise<Inspection> {
  const { head, all } = await firstBytes(pieces, SEEN_BYTES)
  if (head.length === 0) throw damaged('The file is empty.')
  const kind = await kindOf(head.subarray(0, HEAD_BYTES))
  return readers[kind]({ head, size, bytes: all })
}
