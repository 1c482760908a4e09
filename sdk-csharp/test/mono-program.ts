import { execFile, execFileSync, spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Compiles the client and its test program with Mono. `run` runs one case and returns the JSON that it prints last. */
export function compileForMono() {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-csharp-'))
  execFileSync('sh', [here('../compile.sh'), folder], { stdio: 'pipe' })
  const sources = globSync('*.cs', { cwd: here('./program') }).map((name) => here(`./program/${name}`))
  const program = join(folder, 'CairnTests.exe')
  const options = ['-langversion:7.2', '-warnaserror+', `-r:${join(folder, 'Cairn.dll')}`, `-out:${program}`]
  execFileSync('mcs', [...options, ...sources], { stdio: 'pipe' })
  return {
    async run(words: string[], environment: Record<string, string>): Promise<unknown> {
      const { stdout } = await promisify(execFile)('mono', [program, ...words], {
        env: { ...process.env, ...environment },
      })
      return JSON.parse(stdout.trimEnd().split('\n').at(-1)!)
    },
    /** Starts one case and calls `onLine` for each line that it prints. @returns the JSON that it prints last */
    follow(words: string[], environment: Record<string, string>, onLine: (line: string) => void): Promise<unknown> {
      const child = spawn('mono', [program, ...words], { env: { ...process.env, ...environment } })
      let last = ''
      createInterface({ input: child.stdout }).on('line', (line) => {
        last = line
        onLine(line)
      })
      return new Promise((resolve, reject) => {
        child.on('close', (status) =>
          status === 0 ? resolve(JSON.parse(last)) : reject(new Error(`mono ended with ${status}`)),
        )
      })
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
