import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Prepended to the module's script, which its threads load too: replacements of browser interfaces. */
const shim = `
if (!globalThis.location) globalThis.location = { pathname: '/x/index.html', href: 'http://x/' }
globalThis.XMLHttpRequest = class {
  open(method, url) { this.url = url }
  setRequestHeader() {}
  send() {
    setTimeout(() => {
      const bytes = require('fs').readFileSync(this.url)
      this.status = 200
      this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
      this.onload({})
    })
  }
}
`

export type Delegate = Record<string, unknown>
export type Stage = {
  ExportToString(): Promise<string> | string
  Export(name: string, addSourceFileComment: boolean): Promise<void>
  GetTimeCodesPerSecond(): number
  GetPrimAtPath(path: string): { GetPropertyNames(): string[] }
}
export type Driver = { Draw(): void; SetTime(timeCode: number): void; GetStage(): Promise<Stage> }
export type OpenUsd = {
  FS: {
    createDataFile(folder: string, name: string, bytes: Uint8Array, ...modes: boolean[]): void
    readFile(name: string): Uint8Array
  }
  HdWebSyncDriver: new (delegate: Delegate, name: string) => Driver
  UsdStage: { Open(name: string): Promise<Stage> }
}

/**
 * Starts Pixar's OpenUSD in this process, which it changes permanently, and runs `work` with it.
 * @param listen receives each line of its output, except missing plug-ins of this build at the start.
 * @param environment its environment variables.
 */
export async function withOpenUsd(
  listen: (line: string) => void,
  work: (module: OpenUsd) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const require = createRequire(import.meta.url)
  const packed = join(dirname(require.resolve('three-usdz-loader/package.json')), 'external')
  const folder = await mkdtemp(join(tmpdir(), 'openusd-'))
  try {
    await cp(packed, folder, { recursive: true })
    const script = join(folder, 'emHdBindings.js')
    const source = (await readFile(script, 'utf8')).replace('var ENV = {}', `var ENV = ${JSON.stringify(environment)}`)
    await writeFile(script, shim + source)
    process.chdir(folder)
    const start = require(script) as (options: object, folder: string) => Promise<OpenUsd>
    const wasmBinary = await readFile(join(folder, 'emHdBindings.wasm'))
    const hear = (line: string) => {
      if (!buildFaults.test(line)) listen(line)
    }
    await work(await start({ print: hear, printErr: hear, mainScriptUrlOrBlob: script, wasmBinary }, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Plug-ins that this build of OpenUSD lacks, whatever it reads. */
const buildFaults = /schemaRegistry\.cpp|ndr\/registry\.cpp/
