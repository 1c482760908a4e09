import { ConversionError, malformed, tooLarge, unsupported } from '../errors.ts'
import { readCrate } from '../layers/read-crate.ts'
import { readZip } from '../layers/read-zip.ts'
import { buildStage } from '../layers/stage.ts'
import { budget } from '../layers/work-budget.ts'
import { crateOfText, isTextLayer } from '../text/text-crate.ts'
import { type PackageFile, packageFiles } from './package-files.ts'
import type { PackageLayer } from './usd-prim.ts'

/** The layers and files of a package. */
export type PackageLayers = {
  /** Reads a layer, once. @throws ConversionError when it cannot be read. */
  open(file: PackageFile): PackageLayer
  /** Returns the layer of a path, relative to another layer; undefined when the package has none. */
  layerAt(path: string, from: PackageLayer): PackageLayer | undefined
  /** Returns the file of a path, relative to the layer with a name. */
  fileAt(path: string, layer: string): PackageFile | undefined
}

/** A package with its root layer. */
export type OpenPackage = Omit<PackageLayers, 'open'> & { root: PackageLayer }

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
  const names = new Set(entries.map(({ name }) => name))
  if (names.size < entries.length) throw malformed('Two files of the package have the same name.')
  const layers = packageLayers(entries)
  return { ...layers, root: layers.open(first) }
}

/** Returns readers of the files of a package. */
export function packageLayers(entries: readonly PackageFile[]): PackageLayers {
  // All layers share one budget: many small ones may refer to each other.
  const limits = budget()
  const { fileAt, firstIn } = packageFiles(entries, limits)
  const layers = new Map<string, PackageLayer>()
  const open = ({ name, data }: PackageFile): PackageLayer => {
    const known = layers.get(name)
    if (known) return known
    const layer = attempt(`The layer ${name} cannot be read`, () => {
      const isText = isTextLayer(data)
      const crate = isText ? namingLayer(name, () => crateOfText(data)) : data
      return { name, stage: buildStage(readCrate(crate, limits)), isText }
    })
    layers.set(name, layer)
    return layer
  }
  return {
    open,
    fileAt,
    layerAt(path, from) {
      const found = fileAt(path, from.name)
      const isPackage = found !== undefined && /\.usdz\]*$/i.test(found.name)
      const file = isPackage ? attempt(`The package ${found.name} cannot be read`, () => firstIn(found)) : found
      return file && /\.usd[ac]?\]*$/i.test(file.name) ? open(file) : undefined
    },
  }
}

/** Runs a reader, and names what it reads in its error. */
function attempt<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw readingError(what, error)
  }
}

/** Runs the reader of a text layer, and names the layer in its errors. */
function namingLayer<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    throw new ConversionError(error.code, `${name}: ${error.message}`, { cause: error })
  }
}

/** The error for what cannot be read: the readers throw plain errors, and so does a DataView read beyond its end. */
export function readingError(what: string, error: unknown): ConversionError {
  if (error instanceof ConversionError) return error
  return malformed(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
}
