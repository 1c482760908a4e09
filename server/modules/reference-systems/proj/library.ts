import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { projectFile } from '../../../platform/process/project-files.ts'
import { gridFiles } from '../grids/grid-folder.ts'
import { openPermanently } from '../grids/open-files.ts'
import { GridFault, gridFilesIn } from './grid-files.ts'

/** The used part of the Emscripten module of PROJ. */
type Emscripten = {
  ccall: (name: string, returns: 'number' | 'string' | null, types: string[], values: unknown[]) => unknown
  stackSave: () => number
  stackRestore: (at: number) => void
  getValue: (pointer: number, type: 'i32' | 'double' | '*') => number
  UTF8ToString: (pointer: number) => string
  _malloc: (bytes: number) => number
  _free: (pointer: number) => void
  _proj_trans_array: (operation: number, direction: number, count: number, coordinates: number) => number
  _proj_get_suggested_operation: (context: number, list: number, direction: number, coordinate: number) => number
  HEAPF64: Float64Array
  HEAPU8: Uint8Array
  ENV: Record<string, string>
  FS: EmscriptenFiles
}

/** The used part of Emscripten's in-memory file system. */
export type EmscriptenFiles = {
  mkdir: (path: string) => FileNode
  writeFile: (path: string, bytes: Uint8Array) => void
  createFile: (folder: string, name: string, options: object, canRead: boolean, canWrite: boolean) => FileNode
}
export type FileNode = {
  usedBytes: number
  stream_ops: object
  node_ops: { lookup: (folder: FileNode, name: string) => FileNode }
}

/** The address of a PROJ object; 0 is none. */
export type Pointer = number

type Value = string | number

/** PROJ's search path for its database and grids. */
const FOLDER = '/proj'
/** Bundled grids: EGM96. A grid of the same name in the operator's folder takes precedence. */
const OWN_GRIDS = projectFile('server/modules/reference-systems/heights/grids')
/** PJ_LOG_NONE */
const NO_LOG = 0

export type Proj = Awaited<ReturnType<typeof loadProj>>

let loading: Promise<Proj> | undefined
let isLoadedOnce = false

/** PROJ of this process, loaded on first use: 60 ms, and 40 MB outside the JavaScript heap. */
export const proj = (gridFolder = process.env.CAIRN_GRIDS): Promise<Proj> => {
  if (loading === undefined && isLoadedOnce) throw new Error('PROJ cannot be loaded again in this process')
  loading ??= loadProj(gridFolder)
  return loading
}

/** Loads PROJ with its register and grid files open, for a process that drops file access afterwards. */
export async function loadProjAhead(): Promise<void> {
  openPermanently(gridFoldersBeside(process.env.CAIRN_GRIDS).flatMap(gridFiles))
  const library = await proj()
  library.register()
  isLoadedOnce = true
}

const gridFoldersBeside = (gridFolder: string | undefined): string[] =>
  gridFolder === undefined ? [OWN_GRIDS] : [gridFolder, OWN_GRIDS]

/** Discards PROJ: the next caller loads a new instance. */
const forget = (): void => {
  loading = undefined
}

// Only PROJ itself of the package is used; the package's own interface sends each call to a worker.
const file = (name: string) => new URL(name, import.meta.resolve('proj-wasm'))

/** The files that PROJ reads when it is loaded, and its grids with their folders. */
export const projPaths = (gridFolder = process.env.CAIRN_GRIDS): string[] => [
  ...['proj-emscripten.js', 'proj-emscripten.wasm', 'proj.db'].map((name) => fileURLToPath(file(name))),
  ...gridFoldersBeside(gridFolder).flatMap((folder) => {
    const grids = gridFiles(folder).map(({ path }) => path)
    return grids.length > 0 ? [folder, ...grids] : []
  }),
]

/**
 * PROJ 9.8.1 as WebAssembly, with its database and the grid files of a folder; it never uses the network. Calls follow its C
 * interface (https://proj.org/en/stable/development/reference/functions.html).
 */
async function loadProj(gridFolder: string | undefined) {
  const [{ default: start }, wasmBinary, database] = await Promise.all([
    import(file('proj-emscripten.js').href) as Promise<{ default: (options: object) => Promise<Emscripten> }>,
    readFile(file('proj-emscripten.wasm')),
    readFile(file('proj.db')),
  ])
  let register: DatabaseSync | undefined
  let unusableGrids: ReadonlyMap<string, string> = new Map()
  const module = await start({
    wasmBinary,
    print: () => {},
    printErr: () => {},
    preRun: ({ FS, ENV }: Emscripten) => {
      ENV.PROJ_DATA = FOLDER
      ENV.PROJ_NETWORK = 'OFF'
      const folder = FS.mkdir(FOLDER)
      FS.writeFile(`${FOLDER}/proj.db`, database)
      unusableGrids = gridFilesIn(FS, folder, FOLDER, gridFoldersBeside(gridFolder), forget)
    },
  })

  /** PROJ reports some errors by C++ exceptions: then there is no result, and its stack is restored. */
  const call = (name: string, returns: 'number' | 'string' | null, values: Value[]): unknown => {
    const stack = module.stackSave()
    try {
      const types = values.map((value) => (typeof value === 'string' ? 'string' : 'number'))
      return module.ccall(name, returns, types, values)
    } catch (error) {
      module.stackRestore(stack)
      // After a trap, or a file that changed during use, the instance is unusable.
      if (error instanceof GridFault || (error instanceof Error && error.name === 'RuntimeError')) {
        forget()
        throw error
      }
      return returns === 'number' ? 0 : undefined
    }
  }
  const context = call('proj_context_create', 'number', []) as Pointer
  call('proj_log_level', 'number', [context, NO_LOG])
  call('proj_context_set_database_path', 'number', [context, `${FOLDER}/proj.db`, 0, 0])
  call('proj_context_set_enable_network', 'number', [context, 0])

  return {
    module,
    context,
    /** PROJ's database, in SQLite (https://proj.org/en/stable/resource_files.html#proj-db). It stays open. */
    register(): DatabaseSync {
      register ??= new DatabaseSync(fileURLToPath(file('proj.db')), { readOnly: true })
      return register
    },
    /** Grid files that PROJ requested but that cannot be used, with the reason as the end of a sentence. */
    unusableGrids,
    /** Calls a function that returns a number or an address; 0 if it fails. */
    number: (name: string, ...values: Value[]): number => call(name, 'number', values) as number,
    /** Calls a function that returns a text; undefined if there is none. */
    text: (name: string, ...values: Value[]): string | undefined =>
      (call(name, 'string', values) as string | undefined) || undefined,
    run: (name: string, ...values: Value[]): void => void call(name, null, values),

    /** Calls a function with output pointers. @returns the outputs, or undefined if it returns 0 */
    outputs(
      name: string,
      values: Value[],
      kinds: readonly ('double' | 'text' | 'i32')[],
    ): (number | string)[] | undefined {
      const place = module._malloc(kinds.length * 8)
      try {
        const places = kinds.map((_, i) => place + i * 8)
        if (!call(name, 'number', [...values, ...places])) return undefined
        return kinds.map((kind, i) => {
          if (kind === 'double') return module.getValue(places[i]!, 'double')
          const value = module.getValue(places[i]!, 'i32')
          return kind === 'i32' ? value : value === 0 ? '' : module.UTF8ToString(value)
        })
      } finally {
        module._free(place)
      }
    },
  }
}
