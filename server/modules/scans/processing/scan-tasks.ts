import type { Inspection, ScanFaultCode } from './inspection.ts'

/** What the process that reads a scan is asked: to begin with one, then to take the next piece of its bytes, or that none is left. */
export type ScanTask = { kind: 'begin'; size: number } | { kind: 'piece' | 'end' }

/** What it answers: that it needs more bytes, what it found (the bytes of the preview go beside it), or what is wrong with the file. */
export type ScanAnswer =
  | { kind: 'hungry' }
  | {
      kind: 'inspected'
      inspection: Omit<Inspection, 'preview'> & { preview: { width: number; height: number } | null }
    }
  | { kind: 'refused'; code: ScanFaultCode; message: string }
