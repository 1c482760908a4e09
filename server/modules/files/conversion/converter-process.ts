import {
  type Anchor,
  ConversionError,
  type ConvertOptions,
  checkGlb,
  convert,
  convertToGlb,
  loadDecoders,
} from '../../../../usdz/index.ts'
import { runTaskLoop } from '../../../platform/sandbox/task-loop.ts'
import type { ConverterAnswer, ConverterTask } from './converter-task.ts'
import type { ConversionOptions } from './schema.ts'

type Answer = { head: ConverterAnswer; bytes?: Uint8Array }

/**
 * Runs in a process of `createConverter`. Any error but a ConversionError ends the process, which fails this model
 * only.
 */
async function answer({ kind, limits, options, imageBytes = 0 }: ConverterTask, bytes: Uint8Array): Promise<Answer> {
  const model = bytes.subarray(0, bytes.length - imageBytes)
  const image = bytes.slice(bytes.length - imageBytes)
  if (kind === 'check' && checkGlb(model).ok) return { head: { ok: true } }
  try {
    if (options?.format === 'glb') {
      const { glb, report } = await convertToGlb(model, { limits })
      return { head: { ok: true, report }, bytes: glb }
    }
    // A malformed container fails here again, at once, with the code that distinguishes malformed from unsupported.
    const { usdz, report } = await convert(model, { ...(options && converterOptions(options, image)), limits })
    return { head: { ok: true, report }, bytes: usdz }
  } catch (error) {
    if (error instanceof ConversionError) return { head: { ok: false, code: error.code, message: error.message } }
    throw error
  }
}

const nameOrNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : text)

/** The converter's options for those of a query: a clip or variant of digits is its number. */
function converterOptions(given: ConversionOptions, image: Uint8Array): ConvertOptions {
  const { format: _format, clip, variant, anchor: _anchor, alignment, anchorImageId, anchorWidth, ...options } = given
  const anchor = anchorOf(given, image)
  return {
    ...options,
    ...(clip !== undefined && { clip: nameOrNumber(clip) }),
    ...(variant !== undefined && { variant: nameOrNumber(variant) }),
    ...(anchor && { anchor }),
  }
}

function anchorOf({ anchor, alignment, anchorWidth }: ConversionOptions, image: Uint8Array): Anchor | undefined {
  if (anchor === 'plane') return { type: anchor, ...(alignment && { alignment }) }
  return anchor === 'image' ? { type: anchor, image, width: anchorWidth! } : anchor
}

await runTaskLoop(answer, { load: loadDecoders })
