import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Verdict } from './verdict.ts'

/** Independent readers of USDZ: Pixar's OpenUSD, TinyUSDZ and three.js. */
export const judges = ['openusd', 'tinyusdz', 'three'] as const
export type Judge = (typeof judges)[number]

/**
 * Lets a reader read files, in a process of its own: readers change globals, start threads and may crash. A file it
 * says nothing about, because it crashed or hung, has failed.
 */
export async function judge(name: Judge, files: readonly string[], timeout = 120_000): Promise<Verdict[]> {
  const script = fileURLToPath(new URL(`${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, [script, ...files], { stdio: ['ignore', 'pipe', 'pipe'], timeout })
  let complaint = ''
  child.stderr.on('data', (text) => {
    complaint = `${complaint}${text}`.slice(-500)
  })
  const verdicts = new Map<string, Verdict>()
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) continue
    const verdict = JSON.parse(line) as Verdict
    verdicts.set(verdict.file, verdict)
  }
  return files.map((file) => verdicts.get(file) ?? { file, ok: false, error: `no answer. ${complaint}` })
}
