import { readCrate } from '../check/reader/read-crate.ts'
import { readZip, type ZipEntry } from '../check/reader/read-zip.ts'
import { buildStage, type Stage } from '../check/reader/stage.ts'
import { ConversionError, malformed, tooLarge, unsupported } from '../errors.ts'

/** A package: its root layer, and its files by name. */
export type OpenPackage = { root: Stage; rootName: string; files: ReadonlyMap<string, ZipEntry> }

/**
 * Opens a USDZ package. Its root layer is its first file.
 * @throws ConversionError when the archive or the layer cannot be read.
 */
export function openPackage(usdz: Uint8Array, most: number): OpenPackage {
  if (!(usdz instanceof Uint8Array)) throw malformed('A USDZ package must be bytes.')
  if (usdz.length > most) throw tooLarge(`The package has ${usdz.length} bytes; at most ${most} are converted.`)
  const entries = attempt('The package cannot be read', () => readZip(usdz))
  const [first] = entries
  if (!first) throw malformed('The package is empty.')
  const packed = entries.find(({ method, encrypted }) => method !== 0 || encrypted)
  if (packed) throw unsupported(`${packed.name} is compressed or encrypted, which packages do not allow.`)
  const files = new Map(entries.map((entry) => [entry.name, entry]))
  if (files.size < entries.length) throw malformed('Two files of the package have the same name.')
  return { root: readLayer(first), rootName: first.name, files }
}

/** Reads a binary layer. */
function readLayer({ name, data }: ZipEntry): Stage {
  const start = Buffer.from(data.subarray(0, 8)).toString('latin1')
  if (start.startsWith('#usda')) throw unsupported(`${name} is a text layer: only binary layers (.usdc) are converted.`)
  if (start !== 'PXR-USDC') throw malformed(`${name}, the first file of the package, is not a USD layer.`)
  return attempt(`The layer ${name} cannot be read`, () => buildStage(readCrate(data)))
}

/** Runs a reader: the readers throw plain errors, and so does a DataView read beyond its end. */
export function attempt<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof ConversionError) throw error
    throw malformed(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
