import { stepIterator } from '../../../platform/sandbox/step-iterator.ts'
import { runTaskLoop } from '../../../platform/sandbox/task-loop.ts'
import { projAndGdal } from '../../gdal/proj-and-gdal.ts'
import { loadCrsTable } from '../../reference-systems/crs.ts'
import { GridFault } from '../../reference-systems/proj/grid-files.ts'
import { nearZone } from '../../zones/boundary/zone-shape.ts'
import { heightOf } from '../heights/height-task.ts'
import { importSteps, type ReadStep } from '../import/import-batches.ts'
import { writtenColumns } from '../import/import-rows.ts'
import { SurveyFileError } from '../parser/errors.ts'
import { readSurvey, type SurveyItem } from '../parser/read-survey.ts'
import type { SurveyAnswer, SurveyTask } from './survey-tasks.ts'

/** Entry point of a process of `createSurveyReaderPool`. Errors other than SurveyFileError end the process. */

/** Distance from the zone without a warning, in metres: boundaries are drawn by hand. */
const ZONE_MARGIN_METRES = 5000

type Begin = Extract<SurveyTask, { kind: 'begin' }>
type Answer = { head: SurveyAnswer; bytes?: Uint8Array }

async function* answers(
  { options, nearby, settled, looksOnly }: Begin,
  boundary: Uint8Array,
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Answer, void, undefined> {
  const items = readSurvey(file, {
    ...options,
    nearby: nearby ?? undefined,
    ...(boundary.length > 0 && { inZone: nearZone(JSON.parse(Buffer.from(boundary).toString()), ZONE_MARGIN_METRES) }),
  })
  try {
    if (looksOnly) yield { head: { kind: 'looked', isFaulty: await hasFaults(items) } }
    else for await (const step of importSteps(items, settled)) yield answerOf(step)
    yield { head: { kind: 'done' } }
  } catch (error) {
    const fault = error instanceof GridFault ? new SurveyFileError('GRID_FAULT', error.message) : error
    if (!(fault instanceof SurveyFileError)) throw fault
    const { code, message, line } = fault
    yield { head: { kind: 'refused', code, message, line } }
  }
}

async function hasFaults(items: AsyncIterable<SurveyItem>): Promise<boolean> {
  for await (const item of items) if (item.kind === 'faulty') return true
  return false
}

function answerOf(step: ReadStep): Answer {
  if ('detected' in step) return { head: { kind: 'detected', ...step } }
  if ('findings' in step) return { head: { kind: 'findings', ...step } }
  const { after, rows, points, repeats, findings } = step.batch
  const failed = findings.filter((finding) => finding.failed).length
  const columns = writtenColumns(points)
  const findingBytes = Buffer.from(findings.length > 0 ? JSON.stringify(findings) : '')
  const counts = {
    after,
    rows,
    points: points.length,
    repeats,
    failed,
    warnings: findings.length - failed,
    tags: [...new Set(points.flatMap(({ tag }) => tag ?? []))],
  }
  return {
    head: { kind: 'batch', counts, columns: columns.map(({ length }) => length), findings: findingBytes.length },
    bytes: Buffer.concat([...columns, findingBytes]),
  }
}

async function refusalOf({ crs, maxError }: Extract<SurveyTask, { kind: 'crs' }>): Promise<string | null> {
  const table = await loadCrsTable({ maxError, given: crs })
  const found = table.find(crs)
  table.close()
  return typeof found === 'string' ? found : null
}

let reading: ReturnType<typeof stepIterator<Answer>> | undefined

async function answer(task: SurveyTask, bytes: Uint8Array): Promise<Answer> {
  if (task.kind === 'height') return { head: { kind: 'height', height: await heightOf(task) } }
  if (task.kind === 'crs') return { head: { kind: 'crs', refusal: await refusalOf(task) } }
  if (task.kind === 'begin') reading = stepIterator((file) => answers(task, bytes, file))
  const step =
    task.kind === 'piece' || task.kind === 'end'
      ? await reading!.feed(task.kind === 'piece' ? bytes : undefined)
      : await reading!.next()
  return step === 'hungry' ? { head: { kind: 'hungry' } } : step!
}

await runTaskLoop(answer, projAndGdal)
