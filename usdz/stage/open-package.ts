import { ConversionError, malformed, tooLarge, unsupported } from '../errors.ts'
import { readCrate } from '../layers/read-crate.ts'
import { readZip, type ZipEntry } from '../layers/read-zip.ts'
import { buildStage } from '../layers/stage.ts'
import { budget } from '../layers/work-budget.ts'
import { crateOfText, isTextLayer } from '../text/text-crate.ts'
import type { PackageLayer } from './usd-prim.ts'

/** A file of a package, neither compressed nor encrypted. */
type LayerFile = Pick<ZipEntry, 'name' | 'data'>

/** The layers and files of a package. */
export type PackageLayers<File extends LayerFile = LayerFile> = {
  /** Reads a layer, once. @throws ConversionError when it cannot be read. */
  open(file: File): PackageLayer
  /** Returns the layer of a path, relative to another layer; undefined when the package has none. */
  layerAt(path: string, from: PackageLayer): PackageLayer | undefined
  /** Returns the file of a path, relative to the layer with a name. */
  fileAt(path: string, layer: string): File | undefined
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
export function packageLayers<File extends LayerFile>(entries: readonly File[]): PackageLayers<File> {
  const files = new Map(entries.map((entry) => [entry.name, entry]))
  // All layers share one budget: many small ones may refer to each other.
  const limits = budget()
  const layers = new Map<string, PackageLayer>()
  const open = ({ name, data }: File): PackageLayer => {
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
  const fileAt = (path: string, layer: string): File | undefined => {
    const folder = layer.split('/').slice(0, -1)
    return files.get(joined([...folder, ...path.split('/')])) ?? files.get(joined(path.split('/')))
  }
  return {
    open,
    fileAt,
    layerAt(path, from) {
      const file = fileAt(path, from.name)
      return file && /\.usd[ac]?$/i.test(file.name) ? open(file) : undefined
    },
  }
}

function joined(parts: readonly string[]): string {
  const out: string[] = []
  for (const part of parts) {
    if (part === '..') out.pop()
    else if (part !== '.' && part !== '') out.push(part)
  }
  return out.join('/')
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
