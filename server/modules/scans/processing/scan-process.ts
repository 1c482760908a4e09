import { loadDecoders } from '../../../../usdz/index.ts'
import { imageLibrary } from '../../../platform/images/image-library.ts'
import { loadLibheif } from '../../../platform/images/libheif.ts'
import { stepIterator } from '../../../platform/sandbox/step-iterator.ts'
import { runTaskLoop } from '../../../platform/sandbox/task-loop.ts'
import { loadProjAhead } from '../../reference-systems/proj/library.ts'
import { inspectScan } from '../reading/inspect-scan.ts'
import { ScanFault } from './inspection.ts'
import type { ScanAnswer, ScanTask } from './scan-tasks.ts'

type Answer = { head: ScanAnswer; bytes?: Uint8Array }

/** Entry point of a process of `createScanInspector`. Errors other than ScanFault end the process. */
async function* answer(size: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Answer, void, undefined> {
  try {
    const { preview, ...found } = await inspectScan(pieces, size)
    const shown = preview && { width: preview.width, height: preview.height }
    yield {
      head: { kind: 'inspected', inspection: { ...found, preview: shown } },
      ...(preview && { bytes: preview.bytes }),
    }
  } catch (error) {
    if (!(error instanceof ScanFault)) throw error
    yield { head: { kind: 'refused', code: error.code, message: error.message } }
  }
}

let reading: ReturnType<typeof stepIterator<Answer>> | undefined

async function step(task: ScanTask, bytes: Uint8Array): Promise<Answer> {
  if (task.kind === 'begin') reading = stepIterator((pieces) => answer(task.size, pieces))
  const next = await (task.kind === 'begin'
    ? reading!.next()
    : reading!.feed(task.kind === 'piece' ? bytes : undefined))
  return next === 'hungry' ? { head: { kind: 'hungry' } } : next!
}

const loadAhead = () => Promise.all([loadDecoders(), imageLibrary(), loadLibheif(), loadProjAhead()])

await runTaskLoop(step, { load: loadAhead })
