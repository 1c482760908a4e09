import { withStrings } from './arguments.ts'
import { type Layer, layersIn } from './layers.ts'
import { type GdalModule, loadGdal, MOST_FILE_BYTES } from './module.ts'

export type { Layer }

/** What GDAL says of a file that it cannot read or write. */
export class GdalError extends Error {}

/** How a file is opened: by these drivers alone (`GPKG`), with their own options (`HEADERS=DISABLE`). */
export type Opening = { drivers: readonly string[]; options?: readonly string[] }

export type Gdal = Awaited<ReturnType<typeof start>>

let opened: Promise<Gdal> | undefined

/** GDAL in this process, loaded when it is first asked for, and again after a call that aborted it. @see loadGdal */
export function openGdal(): Promise<Gdal> {
  opened ??= start().catch((error) => {
    opened = undefined
    throw error
  })
  return opened
}

const VECTOR = 0x04
const VERBOSE_ERROR = 0x40

async function start() {
  const faults: string[] = []
  const module = await loadGdal((line) => {
    if (faults.length < 20) faults.push(line.slice(0, 500))
  })
  const { FS } = module
  const call = (name: string, ...values: (number | string)[]): number =>
    module.ccall(
      name,
      'number',
      values.map((value) => (typeof value === 'string' ? 'string' : 'number')),
      values,
    ) as number

  /** Runs calls of GDAL. One that aborts or runs out of memory leaves the module unusable, so that the next is a new one. */
  function guarded<T>(work: () => T): T {
    faults.length = 0
    module.ccall('CPLErrorReset', null, [], [])
    try {
      return work()
    } catch (error) {
      if (error instanceof GdalError) throw error
      opened = undefined
      throw new GdalError(error instanceof Error ? error.message : String(error), { cause: error })
    }
  }

  /** The first thing that went wrong is the cause of the rest. */
  const failure = (what: string): GdalError => {
    const said = faults.find((line) => line.startsWith('ERROR'))?.replace(/^ERROR \d+: /, '')
    return new GdalError(said || (module.ccall('CPLGetLastErrorMsg', 'string', [], []) as string) || what)
  }

  function withDataset<T>(path: string, { drivers, options = [] }: Opening, work: (dataset: number) => T): T {
    return withStrings(module, drivers, (driverList) =>
      withStrings(module, options, (optionList) => {
        const dataset = call('GDALOpenEx', path, VECTOR | VERBOSE_ERROR, driverList, optionList, 0)
        if (dataset === 0) throw failure('the file cannot be opened')
        try {
          return work(dataset)
        } finally {
          module.ccall('GDALClose', null, ['number'], [dataset])
        }
      }),
    )
  }

  return {
    /** Puts a file into GDAL's memory, with the folders above it. @throws GdalError when it is larger than 256 MiB */
    write(path: string, bytes: Uint8Array): void {
      if (bytes.length > MOST_FILE_BYTES) throw new GdalError(`a file may have ${MOST_FILE_BYTES} bytes`)
      FS.mkdirTree(folderOf(path))
      FS.writeFile(path, bytes)
    },

    /** Puts bytes behind those of a file in GDAL's memory, or into a new one. @throws GdalError when it would be larger than 256 MiB */
    append(path: string, bytes: Uint8Array): void {
      const size = FS.analyzePath(path).exists ? FS.stat(path).size : 0
      if (size + bytes.length > MOST_FILE_BYTES) throw new GdalError(`a file may have ${MOST_FILE_BYTES} bytes`)
      FS.mkdirTree(folderOf(path))
      FS.writeFile(path, bytes, { flags: 'a' })
    },

    /** Takes a file out of GDAL's memory. @returns its bytes, which are not copied */
    take(path: string): Uint8Array<ArrayBuffer> {
      const { contents, usedBytes } = FS.lookupPath(path).node
      FS.unlink(path)
      return contents?.subarray(0, usedBytes) ?? new Uint8Array()
    },

    /** The names in a folder of GDAL's memory. */
    list: (folder: string): string[] => namesIn(FS, folder),

    /** Removes a file or a folder with all it holds; one that is absent is no error. */
    remove: (path: string): void => removeAll(FS, path),

    /** The layers of a file. Counting may read all of it. @throws GdalError */
    layersOf: (path: string, opening: Opening): Layer[] =>
      guarded(() =>
        withDataset(path, opening, (dataset) =>
          withStrings(module, ['-json', '-so', '-al', '-noextent', '-wkt_format', 'WKT2_2019'], (args) => {
            const options = call('GDALVectorInfoOptionsNew', args, 0)
            if (options === 0) throw failure('the layers cannot be listed')
            try {
              const text = module.ccall('GDALVectorInfo', 'string', ['number', 'number'], [dataset, options]) as string
              if (!text) throw failure('the layers cannot be listed')
              return layersIn(text)
            } finally {
              module.ccall('GDALVectorInfoOptionsFree', null, ['number'], [options])
            }
          }),
        ),
      ),

    /**
     * Writes `source` into `target` as `ogr2ogr` does, with the folders above it.
     * @param args those of ogr2ogr without the files, such as `['-f', 'GPKG', '-a_srs', 'EPSG:25833']`
     * @returns what GDAL warned of, 20 lines at most
     * @throws GdalError when it cannot be opened, or not be written as a whole
     */
    translate: (source: string, target: string, args: readonly string[], opening: Opening): string[] =>
      guarded(() => {
        FS.mkdirTree(folderOf(target))
        return withDataset(source, opening, (dataset) =>
          withStrings(module, args, (list) => {
            const options = call('GDALVectorTranslateOptionsNew', list, 0)
            if (options === 0) throw failure('the arguments are wrong')
            const datasets = module._malloc(4)
            module.setValue(datasets, dataset, '*')
            const usage = module._malloc(4)
            try {
              const written = call('GDALVectorTranslate', target, 0, 1, datasets, options, usage)
              const isWhole = module.ccall('CPLGetLastErrorType', 'number', [], []) !== 3
              const cause = failure('the file cannot be written')
              if (written !== 0) module.ccall('GDALClose', null, ['number'], [written])
              if (written === 0 || !isWhole) throw cause
              return [...faults]
            } finally {
              module.ccall('GDALVectorTranslateOptionsFree', null, ['number'], [options])
              module._free(datasets)
              module._free(usage)
            }
          }),
        )
      }),
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
