import type { Worker } from 'node:worker_threads'
import type { ConversionReport } from './schema.ts'

/** Bounds of one conversion; the others are those of the converter itself. */
export type ConversionLimits = { bytes: number }

export type ThreadTask = { kind: 'check' | 'convert'; glb: Uint8Array; limits: ConversionLimits }
export type ThreadAnswer =
  | { ok: true; usdz?: Uint8Array; report?: ConversionReport }
  | { ok: false; code: FailureCode; message: string }

/** The converter's own codes, and what can befall the thread it runs in. */
export type FailureCode = 'malformed' | 'unsupported' | 'too_large' | 'timed_out' | 'crashed'

/** This model has no USDZ: the message says why, to whoever made it. */
export class ConversionFailure extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}

/** What a thread says once it can take tasks. */
export const READY = 'ready'

/** One question to a thread. @throws ConversionFailure when the thread does not answer in time or at all, or `stop` is raised. */
export function askThread(
  worker: Worker,
  task: ThreadTask,
  { seconds, stop }: { seconds: number; stop: AbortSignal },
): Promise<ThreadAnswer> {
  return new Promise<ThreadAnswer>((resolve, reject) => {
    const timer = setTimeout(
      () => fail('timed_out', `it took longer than ${seconds} s; reduce its triangles or the size of its textures`),
      seconds * 1000,
    )
    const end = () => {
      clearTimeout(timer)
      stop.removeEventListener('abort', onStop)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    }
    const fail = (code: FailureCode, why: string) => {
      end()
      reject(new ConversionFailure(code, `The conversion was stopped: ${why}.`))
    }
    const onMessage = (answer: ThreadAnswer) => {
      end()
      resolve(answer)
    }
    const onError = (error: Error & { code?: string }) =>
      fail(
        'crashed',
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? 'the model needs more memory than one conversion may take; reduce its triangles'
          : 'the converter failed on this model',
      )
    const onExit = () => fail('crashed', 'the converter failed on this model')
    const onStop = () => fail('crashed', 'the service stops')
    stop.addEventListener('abort', onStop)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.postMessage(task, [task.glb.buffer as ArrayBuffer])
  })
}
