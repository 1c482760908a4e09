import { withStrings } from './arguments.ts'
import { type Layer, layersIn } from './layers.ts'
import { type GdalModule, loadGdal, MAX_FILE_BYTES } from './module.ts'

export type { Layer }

/** An error of GDAL about a file. */
export class GdalError extends Error {}

/** How to open a file: with these drivers only (`GPKG`), and their options (`VERIFY_BUFFERS=YES`). */
export type Opening = { drivers: readonly string[]; options?: readonly string[] }

/** An open file. Its calls throw GdalError. */
export type OpenFile = {
  /** Its layers. Counting features may read the whole file. */
  layers: () => Layer[]
  /**
   * Converts it to another file like `ogr2ogr`, creating folders. @param args those of ogr2ogr without the files, such
   * as `['-f', 'GPKG', '-a_srs', 'EPSG:25833']` @returns GDAL's warnings, at most 20 lines @throws GdalError if GDAL
   * reports any error: the file may then be incomplete
   */
  translate: (target: string, args: readonly string[]) => string[]
}

export type Gdal = Awaited<ReturnType<typeof start>>

let opened: Promise<Gdal> | undefined

/** Returns GDAL in this process, loaded on first use, and again after a call that aborted it. @see loadGdal */
export function openGdal(): Promise<Gdal> {
  opened ??= start().catch((error) => {
    opened = undefined
    throw error
  })
  return opened
}

const VECTOR = 0x04
const VERBOSE_ERROR = 0x40
const MAX_WARNINGS = 20

async function start() {
  const warnings: string[] = []
  let firstError: string | undefined
  let isBroken = false
  const module = await loadGdal((line) => {
    const error = /^ERROR \d+: (.*)/.exec(line.slice(0, 500))?.[1]
    firstError ??= error
    if (error === undefined && warnings.length < MAX_WARNINGS) warnings.push(line.slice(0, 500))
  })
  const { FS } = module
  const call = (name: string, ...values: (number | string)[]): number =>
    module.ccall(
      name,
      'number',
      values.map((value) => (typeof value === 'string' ? 'string' : 'number')),
      values,
    ) as number

  /** Runs calls of GDAL. An abort or lack of memory makes the module unusable, so the next call loads a new one. */
  function guarded<T>(work: () => T): T {
    module.ccall('CPLErrorReset', null, [], [])
    try {
      return work()
    } catch (error) {
      if (error instanceof GdalError) throw error
      isBroken = true
      opened = undefined
      // C++ throws numbers here, mostly for lack of memory.
      throw new GdalError('it needs more memory than one file may use, or is damaged', { cause: error })
    }
  }

  /** The first error is the cause of the others. */
  const failure = (what: string): GdalError => {
    return new GdalError(firstError || (module.ccall('CPLGetLastErrorMsg', 'string', [], []) as string) || what)
  }

  function openDataset(path: string, { drivers, options = [] }: Opening): number {
    warnings.length = 0
    firstError = undefined
    return withStrings(module, drivers, (driverList) =>
      withStrings(module, options, (optionList) => {
        const dataset = call('GDALOpenEx', path, VECTOR | VERBOSE_ERROR, driverList, optionList, 0)
        if (dataset === 0) throw failure('the file cannot be opened')
        return dataset
      }),
    )
  }

  function withFile<T>(path: string, opening: Opening, work: (file: OpenFile) => T): T {
    const dataset = guarded(() => openDataset(path, opening))
    try {
      return work({
        layers: () => guarded(() => layers(dataset)),
        translate: (target, args) => guarded(() => translated(dataset, target, args)),
      })
    } finally {
      if (!isBroken) module.ccall('GDALClose', null, ['number'], [dataset])
    }
  }

  function layers(dataset: number): Layer[] {
    return withStrings(module, ['-json', '-so', '-al', '-noextent', '-wkt_format', 'WKT2_2019'], (args) => {
      const options = call('GDALVectorInfoOptionsNew', args, 0)
      if (options === 0) throw failure('the layers cannot be listed')
      try {
        const text = module.ccall('GDALVectorInfo', 'string', ['number', 'number'], [dataset, options]) as string
        const found = text ? layersIn(text) : []
        if (!text || (firstError !== undefined && found.every(({ count }) => count <= 0)))
          throw failure('the layers cannot be listed')
        return found
      } finally {
        module.ccall('GDALVectorInfoOptionsFree', null, ['number'], [options])
      }
    })
  }

  function translated(dataset: number, target: string, args: readonly string[]): string[] {
    FS.mkdirTree(folderOf(target))
    return withStrings(module, args, (list) => {
      const options = call('GDALVectorTranslateOptionsNew', list, 0)
      if (options === 0) throw failure('the arguments are wrong')
      const datasets = module._malloc(4)
      module.setValue(datasets, dataset, '*')
      const usage = module._malloc(4)
      try {
        const written = call('GDALVectorTranslate', target, 0, 1, datasets, options, usage)
        const cause = failure('the file cannot be written')
        if (written !== 0) module.ccall('GDALClose', null, ['number'], [written])
        if (written === 0 || firstError !== undefined) throw firstError === undefined ? cause : failure('')
        return [...warnings]
      } finally {
        module.ccall('GDALVectorTranslateOptionsFree', null, ['number'], [options])
        module._free(datasets)
        module._free(usage)
      }
    })
  }

  return {
    /** Writes a file into GDAL's memory, creating folders. @throws GdalError if it is larger than 256 MiB */
    write(path: string, bytes: Uint8Array): void {
      if (bytes.length > MAX_FILE_BYTES) throw new GdalError(`a file can have at most ${MAX_FILE_BYTES} bytes`)
      FS.mkdirTree(folderOf(path))
      FS.writeFile(path, bytes)
    },

    /**
     * Appends bytes to a file in GDAL's memory, created if needed. @throws GdalError if it would be larger than 256 MiB
     */
    append(path: string, bytes: Uint8Array): void {
      const size = FS.analyzePath(path).exists ? FS.stat(path).size : 0
      if (size + bytes.length > MAX_FILE_BYTES) throw new GdalError(`a file can have at most ${MAX_FILE_BYTES} bytes`)
      FS.mkdirTree(folderOf(path))
      FS.writeFile(path, bytes, { flags: 'a' })
    },

    /** Removes a file from GDAL's memory. @returns its bytes, without a copy */
    take(path: string): Uint8Array<ArrayBuffer> {
      const { contents, usedBytes } = FS.lookupPath(path).node
      FS.unlink(path)
      return contents?.subarray(0, usedBytes) ?? new Uint8Array()
    },

    /** The names in a folder of GDAL's memory. */
    list: (folder: string): string[] => namesIn(FS, folder),

    /** Removes a file, or a folder with its contents; no error if it does not exist. */
    remove: (path: string): void => removeAll(FS, path),

    /**
     * Opens a file for `work` and closes it. Some formats are parsed whole on each opening. @throws GdalError if it
     * cannot be opened; errors of `work`
     */
    withFile,

    /** The layers of a file. @throws GdalError */
    layersOf: (path: string, opening: Opening): Layer[] => withFile(path, opening, ({ layers }) => layers()),

    /** Converts `source` to `target`: `withFile` and its `translate`. */
    translate: (source: string, target: string, args: readonly string[], opening: Opening): string[] =>
      withFile(source, opening, ({ translate }) => translate(target, args)),
  }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

function removeAll(files: GdalModule['FS'], path: string): void {
  if (!files.analyzePath(path).exists) return
  if (files.isDir(files.stat(path).mode)) {
    for (const name of namesIn(files, path)) removeAll(files, `${path}/${name}`)
    files.rmdir(path)
  } else files.unlink(path)
}

const namesIn = (files: GdalModule['FS'], folder: string): string[] =>
  files.readdir(folder).filter((name) => name !== '.' && name !== '..')
