import type { Inspection, ScanFaultCode } from './inspection.ts'

/** Requests to the process that reads a scan: start a file, take the next chunk, or end of file. */
export type ScanTask = { kind: 'begin'; size: number } | { kind: 'piece' | 'end' }

/** Its replies: more bytes needed, the result (the bytes of the preview follow separately), or a fault of the file. */
export type ScanAnswer =
  | { kind: 'hungry' }
  | {
      kind: 'inspected'
      inspection: Omit<Inspection, 'preview'> & { preview: { width: number; height: number } | null }
    }
  | { kind: 'refused'; code: ScanFaultCode; message: string }
