import { closeSync, openSync } from 'node:fs'
import type { GridFile } from './grid-folder.ts'

const kept = new Map<string, number>()

/** Opens files for good: they are read from then on, also where their folder may not be entered any more. Those that cannot be opened are left out. */
export function openForGood(files: readonly GridFile[]): void {
  for (const { path } of files) {
    try {
      if (!kept.has(path)) kept.set(path, openSync(path, 'r'))
    } catch {
      // Whoever needs it says why it cannot be read.
    }
  }
}

/** A file to read from. */
export const opened = (path: string): number => kept.get(path) ?? openSync(path, 'r')

/** Closes what `opened` gave, unless it is kept open. */
export function closed(path: string, file: number): void {
  if (kept.get(path) !== file) closeSync(file)
}
