import { fstatSync, readSync } from 'node:fs'
import { closed, opened } from '../open-files.ts'

/** What is wrong with a grid file, as the end of a sentence: `it ends early`. */
export class DamagedGrid extends Error {}

/** The bytes of a file, read where they are asked for. */
export type FileBytes = {
  size: number
  /** @throws DamagedGrid when the file ends before that */
  at: (position: number, length: number) => DataView
}

/** Gives the bytes of a file to a function, and closes the file. */
export function withBytes(path: string, use: (bytes: FileBytes) => void): void {
  const file = opened(path)
  try {
    const { size } = fstatSync(file)
    use({
      size,
      at(position, length) {
        if (!(position >= 0 && position + length <= size)) throw new DamagedGrid('it ends early')
        const bytes = Buffer.alloc(length)
        if (readSync(file, bytes, 0, length, position) < length) throw new DamagedGrid('it ends early')
        return new DataView(bytes.buffer, bytes.byteOffset, length)
      },
    })
  } finally {
    closed(path, file)
  }
}

/** ASCII text of a fixed width. */
export const textAt = (view: DataView, start: number, length: number): string =>
  Buffer.from(view.buffer, view.byteOffset + start, length).toString('latin1')
