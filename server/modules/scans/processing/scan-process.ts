import { answerTasks } from '../../../platform/apart/answer-tasks.ts'
import { stepByStep } from '../../../platform/apart/step-by-step.ts'
import { inspectScan } from '../reading/inspect-scan.ts'
import { ScanFault } from './inspection.ts'
import type { ScanAnswer, ScanTask } from './scan-tasks.ts'

type Answer = { head: ScanAnswer; bytes?: Uint8Array }

/** Runs in a process of `createScanInspector`. Whatever is no ScanFault ends the process. */
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

let reading: ReturnType<typeof stepByStep<Answer>> | undefined

await answerTasks(async (task: ScanTask, bytes): Promise<Answer> => {
  if (task.kind === 'begin') reading = stepByStep((pieces) => answer(task.size, pieces))
  const step = await (task.kind === 'begin'
    ? reading!.next()
    : reading!.feed(task.kind === 'piece' ? bytes : undefined))
  return step === 'hungry' ? { head: { kind: 'hungry' } } : step!
})
