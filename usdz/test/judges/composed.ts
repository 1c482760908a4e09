import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const attempts = 3
/** The threads of the OpenUSD build wait for each other for ever now and then: then another process is asked. */
const patience = 20_000

/**
 * What OpenUSD makes of the last of some files after composition, as USD text, and what it complained about. The others
 * lie beside it: a text layer may refer to a package. A process of its own reads them.
 */
export async function composed(files: Readonly<Record<string, Uint8Array | string>>) {
  const script = fileURLToPath(new URL('./openusd-text.ts', import.meta.url))
  const folder = await mkdtemp(join(tmpdir(), 'usdz-composed-'))
  try {
    const paths: string[] = []
    for (const [name, content] of Object.entries(files)) {
      paths.push(join(folder, name))
      await writeFile(paths.at(-1)!, content)
    }
    for (let attempt = 1; ; attempt++) {
      const env = { ...process.env, TMPDIR: folder }
      const options = { timeout: patience, killSignal: 'SIGKILL', maxBuffer: 2 ** 28, env } as const
      const said = await run(process.execPath, [script, ...paths], options).catch((error) => {
        if (attempt === attempts) throw error
      })
      if (said) return JSON.parse(said.stdout) as { text: string; complaints: string[] }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
