import type { WorkerExited } from '../../../platform/sandbox/worker-process.ts'
import type { ConversionReport } from '../schema.ts'

/** Bounds of one conversion; the others are those of the converter itself. */
export type ConversionLimits = { bytes: number }

export type ConverterTask = { kind: 'check' | 'convert'; limits: ConversionLimits }
/** The USDZ goes beside it. */
export type ConverterAnswer =
  | { ok: true; report?: ConversionReport | undefined }
  | { ok: false; code: FailureCode; message: string }

/** The converter's own codes, and what can befall the process it runs in. */
export type FailureCode = 'malformed' | 'unsupported' | 'too_large' | 'timed_out' | 'crashed'

/** This model has no USDZ: the message says why, to whoever made it. */
export class ConversionFailure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string, cause?: Error) {
    super(message, { cause })
    this.code = code
  }
}

/** What the end of its process means for a model. */
export function failureOf(ended: WorkerExited, seconds: number): ConversionFailure {
  const stopped = (code: FailureCode, why: string) =>
    new ConversionFailure(code, `The conversion was stopped: ${why}.`, ended)
  if (ended.why === 'late')
    return stopped('timed_out', `it took longer than ${seconds} s; reduce its triangles or the size of its textures`)
  if (ended.why === 'memory')
    return stopped('crashed', 'the model needs more memory than one conversion may take; reduce its triangles')
  return stopped('crashed', 'the converter failed on this model')
}
