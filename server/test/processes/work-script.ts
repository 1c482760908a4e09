import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { runTaskLoop } from '../../platform/sandbox/task-loop.ts'

/** Tasks of a process for tests, by their first byte. */
export const ANSWER = 1
export const LOOP = 2
export const THROW = 3
export const EXIT = 4
export const FILL = 5
/** Waits indefinitely in native code. */
export const BLOCK = 6
/** Tries forbidden operations on the two paths in the other bytes, and reports the results. */
export const TRESPASS = 7
/** Announces an answer of 4 GiB. */
export const BOAST = 8
/** Returns the bytes. */
export const ECHO = 9

const outcome = (work: () => unknown): string => {
  try {
    return String(work())
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

/** @param paths one to write and one to read, each on a line */
function trespass(paths: string) {
  const [written, read] = paths.split('\n') as [string, string]
  return {
    write: outcome(() => writeFileSync(written, 'x')),
    read: outcome(() => readFileSync(read, 'utf8')),
    list: outcome(() => readdirSync(dirname(read))),
    program: outcome(() => spawnSync('true').status),
    environment: Object.keys(process.env),
  }
}

/** Each answer has the process's ID: in the bytes, and as a width for callers that request the size of an image. */
async function answer([what, ...rest]: Uint8Array) {
  if (what === LOOP) for (;;);
  if (what === THROW) throw new Error('a fault')
  if (what === EXIT) process.exit(7)
  if (what === FILL) for (const all: object[] = []; ; ) all.push({ ...all })
  if (what === BLOCK) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  if (what === BOAST) writeSync(3, Buffer.from([2, 0, 0, 0, 255, 255, 255, 255, 0x7b, 0x7d]))
  const told = what === TRESPASS ? trespass(Buffer.from(rest).toString()) : {}
  const pid = new Uint8Array(new Uint32Array([process.pid]).buffer)
  return { head: { ok: true, report: {}, width: process.pid, height: 1, ...told }, bytes: pid }
}

if (import.meta.main)
  await runTaskLoop<object, object>(
    async (task, bytes) => (bytes[0] === ECHO ? { head: { echo: task }, bytes } : answer(bytes)),
    { load: async () => {} },
  )
