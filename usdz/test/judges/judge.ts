import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { killAtStandstill } from './standstill.ts'
import type { Verdict } from './verdict.ts'

/** Independent readers of USDZ: Pixar's OpenUSD, TinyUSDZ and three.js. */
export const judges = ['openusd', 'tinyusdz', 'three'] as const
export type Judge = (typeof judges)[number]

/**
 * The time limit for silence of a reader, including its start; the largest sample takes a few seconds. Stops readers
 * that hang.
 */
const patience = 45_000
const attempts = 3

/**
 * Runs a reader on files in its own process: readers change globals, start threads and may crash. The threads of the
 * OpenUSD build deadlock about once in thirty starts, with any file; files without a result are therefore retried
 * in another process, the one that hung last. A file that hangs three processes has failed.
 */
export async function judge(name: Judge, files: readonly string[]): Promise<Verdict[]> {
  const verdicts = new Map<string, Verdict>()
  const failures = new Map<string, number>()
  let complaint = ''
  for (let open = [...files]; open.length > 0; ) {
    complaint = await ask(name, open, verdicts)
    const [silent, ...others] = open.filter((file) => !verdicts.has(file))
    if (silent === undefined) break
    const count = (failures.get(silent) ?? 0) + 1
    failures.set(silent, count)
    open = count < attempts ? [...others, silent] : others
  }
  return files.map((file) => verdicts.get(file) ?? { file, ok: false, error: `no answer. ${complaint}` })
}

/**
 * Runs one process, which adds its verdicts.
 * @returns the end of its error output
 */
async function ask(name: Judge, files: readonly string[], verdicts: Map<string, Verdict>): Promise<string> {
  const script = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const folder = await mkdtemp(join(tmpdir(), 'usdz-judge-'))
  const env = { ...process.env, TMPDIR: folder }
  const child = spawn(process.execPath, [script, ...files], { stdio: ['ignore', 'pipe', 'pipe'], env })
  const kill = () => child.kill('SIGKILL')
  let silence = setTimeout(kill, patience)
  const endWatch = killAtStandstill(child)
  let complaint = ''
  child.stderr.on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-500)
  })
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      clearTimeout(silence)
      silence = setTimeout(kill, patience)
      if (!line.startsWith('{')) continue
      const verdict = JSON.parse(line) as Verdict
      verdicts.set(verdict.file, verdict)
    }
  } finally {
    clearTimeout(silence)
    endWatch()
    await rm(folder, { recursive: true, force: true })
  }
  return complaint
}
