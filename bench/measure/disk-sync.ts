import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const TURNS = 200

/** The median time of writing 8 kB at the end of a file, and fdatasync. */
export function syncMilliseconds(): number {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-sync-'))
  const file = openSync(join(folder, 'file'), 'w')
  const page = Buffer.alloc(8192, 1)
  const times = Array.from({ length: TURNS }, () => {
    const began = performance.now()
    writeSync(file, page)
    fdatasyncSync(file)
    return performance.now() - began
  }).toSorted((a, b) => a - b)
  closeSync(file)
  rmSync(folder, { recursive: true })
  return times[TURNS >> 1]!
}
