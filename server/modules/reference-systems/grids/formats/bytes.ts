import { fstatSync, readSync } from 'node:fs'
import { closeFile, openFile } from '../open-files.ts'

/** The error of a grid file, as the end of a sentence: `it ends early`. */
export class DamagedGrid extends Error {}

/** Random access to the bytes of a file. */
export type FileBytes = {
  size: number
  /** @throws DamagedGrid if the file ends before that */
  at: (position: number, length: number) => DataView
}

/** Opens a file, passes its bytes to a function, and closes it. */
export function withBytes(path: string, use: (bytes: FileBytes) => void): void {
  const file = openFile(path)
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
    closeFile(path, file)
  }
}

/** ASCII text of a fixed width. */
export const textAt = (view: DataView, start: number, length: number): string =>
  Buffer.from(view.buffer, view.byteOffset + start, length).toString('latin1')
