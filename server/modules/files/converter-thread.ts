import { parentPort } from 'node:worker_threads'
import { ConversionError, checkGlb, convert, leaveImageLoadersToHost } from '../../../usdz/index.ts'
import { READY, type ThreadAnswer, type ThreadTask } from './converter-task.ts'

// The service reads images too, and closed what neither of them needs before it started this thread.
leaveImageLoadersToHost()

/** Runs in a thread of `createConverter`. Whatever is not a ConversionError ends the thread, and so becomes a failure of this model alone. */
parentPort!.on('message', async (task: ThreadTask) => {
  const answer = await answerTo(task)
  const whole = answer.ok ? answer.usdz?.buffer : undefined
  parentPort!.postMessage(answer, whole instanceof ArrayBuffer ? [whole] : [])
})

async function answerTo({ kind, glb, limits }: ThreadTask): Promise<ThreadAnswer> {
  if (kind === 'check' && checkGlb(glb).ok) return { ok: true }
  try {
    // What failed the check fails here too, at once, and tells whether it is malformed or only unknown.
    const { usdz, report } = await convert(glb, { limits })
    // A view into a larger buffer is copied: a buffer can only be handed over whole.
    return { ok: true, usdz: usdz.byteLength === usdz.buffer.byteLength ? usdz : new Uint8Array(usdz), report }
  } catch (error) {
    if (error instanceof ConversionError) return { ok: false, code: error.code, message: error.message }
    throw error
  }
}

parentPort!.postMessage(READY)
