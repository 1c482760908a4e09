import { constants } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { libraryFile, readLibraryFile } from './library-file.ts'

/** The functions of GDAL's C API used here, as emscripten exports them. */
export type GdalModule = {
  HEAPU8: Uint8Array
  FS: MemoryFiles
  ccall: (name: string, returns: 'number' | 'string' | null, types: string[], values: unknown[]) => unknown
  lengthBytesUTF8: (text: string) => number
  stringToUTF8: (text: string, at: number, length: number) => void
  getValue: (at: number, type: string) => number
  setValue: (at: number, value: number, type: string) => void
  _malloc: (bytes: number) => number
  _free: (at: number) => void
}

/** The part of emscripten's file system used here. */
export type MemoryFiles = {
  mkdirTree: (path: string) => void
  writeFile: (path: string, bytes: Uint8Array, options?: { flags: string }) => void
  lookupPath: (path: string) => { node: { contents: Uint8Array<ArrayBuffer> | null; usedBytes: number } }
  readdir: (path: string) => string[]
  stat: (path: string) => { mode: number; size: number }
  isDir: (mode: number) => boolean
  unlink: (path: string) => void
  rmdir: (path: string) => void
  analyzePath: (path: string) => { exists: boolean }
}

type Started = GdalModule & {
  ENV: Record<string, string>
  MEMFS: { expandFileStorage: (node: unknown, capacity: number) => void }
}
type Settings = {
  getPreloadedPackage: () => ArrayBuffer
  preRun: ((module: Started) => void)[]
  instantiateWasm: (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) => object
  print: (line: string) => void
  printErr: (line: string) => void
  onAbort: (what: unknown) => void
}

/** The largest file in GDAL's memory, read or written. */
export const MAX_FILE_BYTES = 256 * 2 ** 20

/** Process-wide settings of GDAL: an inserted block of a drawing is one point, and a Shapefile may lack its index. */
const CONFIG = {
  DXF_INLINE_BLOCKS: 'FALSE',
  SHAPE_RESTORE_SHX: 'YES',
  // As open options these apply only to the first sheet of a workbook.
  OGR_XLSX_HEADERS: 'DISABLE',
  OGR_XLSX_FIELD_TYPES: 'STRING',
  OGR_ODS_HEADERS: 'DISABLE',
  OGR_ODS_FIELD_TYPES: 'STRING',
}

const require = createRequire(import.meta.url)

function places() {
  const script = require.resolve('gdal3.js/build/package/gdal3WebAssembly.js')
  return { script, folder: join(dirname(script), '../../dist/package') }
}

/** The files that `loadGdal` reads. */
export function gdalPaths(): string[] {
  const { script, folder } = places()
  return [script, ...['gdal3WebAssembly.wasm', 'gdal3WebAssembly.data'].map((name) => libraryFile(join(folder, name)))]
}

/**
 * Loads GDAL (gdal3.js, GDAL 3.8 in WebAssembly) into this process: about 0.2 s and 110 MB. It has no access to the
 * network or to files outside its memory. Use it only in a process of `startWorkerProcess`, because its calls block.
 * @param onFault receives each error and warning of GDAL, and the reason of an abort
 */
export async function loadGdal(onFault: (line: string) => void): Promise<GdalModule> {
  const { script, folder } = places()
  const [program, data] = await Promise.all(
    ['gdal3WebAssembly.wasm', 'gdal3WebAssembly.data'].map((name) => readLibraryFile(join(folder, name))),
  )
  const wasm = new WebAssembly.Module(program!)
  const start: (settings: Settings) => Promise<Started> = require(script)
  const module = await withBinding(() =>
    start({
      // GDAL keeps its files in this memory. It is the start of what was read: shortened, not copied.
      getPreloadedPackage: () => data!.buffer.transfer(data!.length),
      preRun: [
        ({ ENV }) => {
          Object.assign(ENV, { PROJ_LIB: '/usr/share/proj', GDAL_DATA: '/usr/share/gdal', PROJ_NETWORK: 'OFF' })
        },
      ],
      instantiateWasm(imports, receive) {
        const instance = new WebAssembly.Instance(wasm, imports)
        for (const held of Object.values(instance.exports)) if (held instanceof WebAssembly.Memory) bound(held)
        receive(instance)
        return instance.exports
      },
      print: () => {},
      printErr: onFault,
      onAbort: (what) => onFault(`aborted: ${what}`),
    }),
  )
  boundFiles(module.MEMFS)
  for (const [name, value] of Object.entries(CONFIG))
    module.ccall('CPLSetConfigOption', null, ['string', 'string'], [name, value])
  module.ccall('GDALAllRegister', null, [], [])
  return module
}

/**
 * The emscripten runtime reads the file flags of the machine from `process.binding`, without ever using them. That
 * function is missing under Node's permission model, so it is provided here.
 */
async function withBinding<T>(work: () => Promise<T>): Promise<T> {
  const own = Object.getOwnPropertyDescriptor(process, 'binding')!
  Object.defineProperty(process, 'binding', { ...own, value: () => ({ fs: constants }) })
  try {
    return await work()
  } finally {
    Object.defineProperty(process, 'binding', own)
  }
}

/** The memory reserves 512 MiB of address space, of which only written pages use real memory; it never grows. */
function bound(memory: WebAssembly.Memory): void {
  memory.grow = () => {
    throw new RangeError('GDAL needs more memory than it may have')
  }
}

function boundFiles(files: Started['MEMFS']): void {
  const expand = files.expandFileStorage
  files.expandFileStorage = (node, capacity) => {
    if (capacity > MAX_FILE_BYTES) throw new RangeError('GDAL writes a larger file than it may')
    expand(node, capacity)
  }
}
