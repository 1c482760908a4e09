import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { killAtStandstill } from './standstill.ts'

const run = promisify(execFile)
const attempts = 3
/** Threads of the OpenUSD build deadlock occasionally: then another process is started with a longer timeout, in case the machine is busy. */
const patience = 20_000

/**
 * The composed last file of some files, as USD text by OpenUSD, and its complaints. The others are beside it: a text layer may
 * refer to a package. Read in a separate process.
 */
export async function composed(files: Readonly<Record<string, Uint8Array | string>>) {
  return await inFolder(async (folder) => {
    const paths: string[] = []
    for (const [name, content] of Object.entries(files)) {
      paths.push(join(folder, name))
      await writeFile(paths.at(-1)!, content)
    }
    return JSON.parse(await ask('openusd-text.ts', paths, folder)) as { text: string; complaints: string[] }
  })
}

/** The crate file that OpenUSD writes for a text layer, in a version of the format ("0.8.0"). */
export async function crateOf(usda: string, version: string): Promise<Uint8Array> {
  return await inFolder(async (folder) => {
    const [from, to] = [join(folder, 'in.usda'), join(folder, 'out.usdc')]
    await writeFile(from, usda)
    await ask('openusd-crate.ts', [from, to, version], folder)
    return new Uint8Array(await readFile(to))
  })
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'usdz-composed-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Runs a script beside this file.
 * @returns its output
 */
async function ask(script: string, values: readonly string[], folder: string): Promise<string> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const env = { ...process.env, TMPDIR: folder }
  const options = { killSignal: 'SIGKILL', maxBuffer: 2 ** 28, env } as const
  for (let attempt = 1; ; attempt++) {
    const asked = run(process.execPath, [path, ...values], { ...options, timeout: patience * attempt ** 2 })
    const endWatch = killAtStandstill(asked.child)
    const said = await asked
      .catch((error) => {
        if (attempt === attempts) throw error
      })
      .finally(endWatch)
    if (said) return said.stdout
  }
}
