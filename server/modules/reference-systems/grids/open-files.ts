import { closeSync, openSync } from 'node:fs'
import type { GridFile } from './grid-folder.ts'

const kept = new Map<string, number>()

/** Opens files permanently, so that they can be read after access to their folder is dropped. Skips those that cannot be opened. */
export function openPermanently(files: readonly GridFile[]): void {
  for (const { path } of files) {
    try {
      if (!kept.has(path)) kept.set(path, openSync(path, 'r'))
    } catch {
      // The reader reports why a file cannot be read.
    }
  }
}

/** A file to read from. */
export const openFile = (path: string): number => kept.get(path) ?? openSync(path, 'r')

/** Closes a file from `opened`, unless it is kept open. */
export function closeFile(path: string, file: number): void {
  if (kept.get(path) !== file) closeSync(file)
}
