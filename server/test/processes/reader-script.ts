import { setTimeout as sleep } from 'node:timers/promises'
import type { SurveyAnswer, SurveyTask } from '../../modules/surveys/process/survey-tasks.ts'
import { runTaskLoop } from '../../platform/sandbox/task-loop.ts'

/** A fake survey reader process that does what the first word of a file says: `loop`, `fill` its memory, `die` by a signal or `throw`. */
async function answer({ kind }: SurveyTask, bytes: Uint8Array): Promise<{ head: SurveyAnswer }> {
  if (kind === 'begin') return { head: { kind: 'hungry' } }
  const word = Buffer.from(bytes).toString().split('\n')[0]
  if (word === 'loop') for (;;);
  if (word === 'fill') for (const all: object[] = []; ; ) all.push({ ...all })
  if (word === 'die') process.kill(process.pid, 'SIGKILL')
  if (word === 'die') await sleep(60_000)
  throw new Error('a fault')
}

if (import.meta.main) await runTaskLoop(answer, { load: async () => {} })
