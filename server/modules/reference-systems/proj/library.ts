import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { projectFile } from '../../../platform/process/project-files.ts'
import { gridFiles } from '../grids/grid-folder.ts'
import { openForGood } from '../grids/open-files.ts'
import { GridFault, gridFilesIn } from './grid-files.ts'

/** What is used of the module that Emscripten made of PROJ. */
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

/** The part of Emscripten's in-memory file system that is used. */
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

/** An object of PROJ, by its address; 0 is none. */
export type Pointer = number

type Value = string | number

/** Where PROJ looks for its database and for grids. */
const FOLDER = '/proj'
/** Grids that come with the service: EGM96. One of the same name in the operator's folder is used in its place. */
const OWN_GRIDS = projectFile('server/modules/reference-systems/heights/grids')
/** PJ_LOG_NONE */
const NO_LOG = 0

export type Proj = Awaited<ReturnType<typeof loadProj>>

let loading: Promise<Proj> | undefined
let isLoadedOnce = false

/** PROJ as this process has it, loaded when it is first needed: 60 ms and 40 MB outside the JavaScript heap. */
export const proj = (gridFolder = process.env.CAIRN_GRIDS): Promise<Proj> => {
  if (loading === undefined && isLoadedOnce) throw new Error('PROJ cannot be loaded again in this process')
  loading ??= loadProj(gridFolder)
  return loading
}

/** Loads PROJ, once, with its register and its grid files open: for a process that may not be able to open them later. */
export async function loadProjAhead(): Promise<void> {
  openForGood(gridFoldersBeside(process.env.CAIRN_GRIDS).flatMap(gridFiles))
  const library = await proj()
  library.register()
  isLoadedOnce = true
}

const gridFoldersBeside = (gridFolder: string | undefined): string[] =>
  gridFolder === undefined ? [OWN_GRIDS] : [gridFolder, OWN_GRIDS]

/** The next who needs PROJ gets a new one. */
const forget = (): void => {
  loading = undefined
}

/**
 * PROJ 9.8.1 in WebAssembly, with its database and the grid files of a folder; it never asks the network. Calls follow
 * its C interface (https://proj.org/en/stable/development/reference/functions.html).
 */
async function loadProj(gridFolder: string | undefined) {
  // Of the package only PROJ itself is used; its own interface runs each call through a message to a worker.
  const file = (name: string) => new URL(name, import.meta.resolve('proj-wasm'))
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

  /** PROJ reports some faults by C++ exceptions that leave the call: then there is no result, and its stack is as it was. */
  const call = (name: string, returns: 'number' | 'string' | null, values: Value[]): unknown => {
    const stack = module.stackSave()
    try {
      const types = values.map((value) => (typeof value === 'string' ? 'string' : 'number'))
      return module.ccall(name, returns, types, values)
    } catch (error) {
      module.stackRestore(stack)
      // A trap leaves it in no state to go on with, and so does a file that changed under it.
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
    /** Grid files that PROJ asked for and that cannot be used, with the reason as the end of a sentence. */
    unusableGrids,
    /** Calls a function that gives a number or an address; 0 when it fails. */
    number: (name: string, ...values: Value[]): number => call(name, 'number', values) as number,
    /** Calls a function that gives a text; undefined when there is none. */
    text: (name: string, ...values: Value[]): string | undefined =>
      (call(name, 'string', values) as string | undefined) || undefined,
    run: (name: string, ...values: Value[]): void => void call(name, null, values),

    /** Runs a function that writes numbers or addresses to places given to it. @returns them, or undefined when it gives 0 */
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
