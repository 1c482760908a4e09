import type { WorkerExited } from '../../../platform/sandbox/worker-process.ts'
import type { ConversionReport } from '../schema.ts'
import type { ConversionOptions } from './schema.ts'

/** Bounds of one conversion, besides the converter's own. */
export type ConversionLimits = { bytes: number }

export type ConverterTask = {
  kind: 'check' | 'convert'
  limits: ConversionLimits
  options?: ConversionOptions
  /** The length of the anchor's image, which is behind the model. */
  imageBytes?: number
}
/** The USDZ or GLB is sent beside it. */
export type ConverterAnswer =
  | { ok: true; report?: ConversionReport | undefined }
  | { ok: false; code: FailureCode; message: string }

/** The converter's own codes, and those for how its process can end. */
export type FailureCode = 'malformed' | 'unsupported' | 'too_large' | 'timed_out' | 'crashed'

/** This model cannot be converted; the message says why. */
export class ConversionFailure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string, cause?: Error) {
    super(message, { cause })
    this.code = code
  }
}

/** The failure of the model whose process ended. */
export function failureOf(ended: WorkerExited, seconds: number): ConversionFailure {
  const stopped = (code: FailureCode, why: string) =>
    new ConversionFailure(code, `The conversion was stopped: ${why}.`, ended)
  if (ended.why === 'late')
    return stopped('timed_out', `it took longer than ${seconds} s; reduce its triangles or the size of its textures`)
  if (ended.why === 'memory')
    return stopped('crashed', 'the model needs more memory than a conversion may use; reduce its triangles')
  return stopped('crashed', 'the converter failed on this model')
}
