import { ConversionError, checkGlb, convert, loadDecoders } from '../../../../usdz/index.ts'
import { runTaskLoop } from '../../../platform/sandbox/task-loop.ts'
import type { ConverterAnswer, ConverterTask } from './converter-task.ts'

type Answer = { head: ConverterAnswer; bytes?: Uint8Array }

/**
 * Runs in a process of `createConverter`. Any error but a ConversionError ends the process, which fails this model
 * only.
 */
async function answer({ kind, limits }: ConverterTask, glb: Uint8Array): Promise<Answer> {
  if (kind === 'check' && checkGlb(glb).ok) return { head: { ok: true } }
  try {
    // A malformed container fails here again, at once, with the code that distinguishes malformed from unsupported.
    const { usdz, report } = await convert(glb, { limits })
    return { head: { ok: true, report }, bytes: usdz }
  } catch (error) {
    if (error instanceof ConversionError) return { head: { ok: false, code: error.code, message: error.message } }
    throw error
  }
}

await runTaskLoop(answer, { load: loadDecoders })
