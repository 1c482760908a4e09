import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The program begins the line of its result so. */
const RESULT = 'result '

/** Compiles the client and its test program with Mono. `run` runs one case, calls `onLine` for each line that it prints, and returns its result, and ends its input after `endInput`; `talk` runs one that answers each line with one. */
export function compileForMono() {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-csharp-'))
  execFileSync('sh', [here('../compile.sh'), folder], { stdio: 'pipe' })
  const sources = globSync('*.cs', { cwd: here('./program') }).map((name) => here(`./program/${name}`))
  const program = join(folder, 'CairnTests.exe')
  const options = ['-langversion:7.2', '-warnaserror+', `-r:${join(folder, 'Cairn.dll')}`, `-out:${program}`]
  execFileSync('mcs', [...options, ...sources], { stdio: 'pipe' })
  return {
    /** Has the compiled client. */
    folder,
    /** Compiles a library that uses the client in Unity. @returns the errors, or nothing */
    compile(files: string[]): string {
      const parts = ['Cairn', 'Cairn.Unity', 'UnityEngine'].map((name) => `-r:${join(folder, `${name}.dll`)}`)
      const target = ['-langversion:7.2', '-warn:0', '-target:library', `-out:${join(folder, 'Compiled.dll')}`]
      return spawnSync('mcs', [...target, ...parts, ...files], { encoding: 'utf8' }).stderr
    },
    run(
      words: string[],
      environment: Record<string, string>,
      onLine?: (line: string) => void,
      endInput: Promise<unknown> = Promise.resolve(),
    ): Promise<unknown> {
      const child = spawn('mono', [program, ...words], { env: { ...process.env, ...environment } })
      let errors = ''
      child.stderr.on('data', (data) => {
        errors += data
      })
      void endInput.then(() => child.stdin.end())
      return new Promise((resolve, reject) => {
        createInterface({ input: child.stdout }).on('line', (line) => {
          if (!line.startsWith(RESULT)) return onLine?.(line)
          resolve(JSON.parse(line.slice(RESULT.length)))
          // Mono 6.8 sometimes takes a minute to exit.
          child.kill('SIGKILL')
        })
        child.on('close', () => reject(new Error(`The program ended without a result:\n${errors}`)))
      })
    },
    talk(words: string[], environment: Record<string, string>) {
      const child = spawn('mono', [program, ...words], { env: { ...process.env, ...environment } })
      let errors = ''
      child.stderr.on('data', (data) => {
        errors += data
      })
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      return {
        /** Sends a value as JSON and returns the one that answers it. */
        async ask(value: object): Promise<unknown> {
          child.stdin.write(`${JSON.stringify(value)}\n`)
          const { value: line, done } = await lines.next()
          if (done) throw new Error(`The program ended without an answer:\n${errors}`)
          return JSON.parse(line)
        },
        end: () => void child.kill('SIGKILL'),
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
