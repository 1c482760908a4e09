import { runTaskLoop } from '../../../platform/sandbox/task-loop.ts'
import { projAndGdal } from '../../gdal/proj-and-gdal.ts'
import { fileWriter } from '../files/file-writer.ts'
import { projections } from '../projections/projections.ts'
import type { ExportAnswer, ExportTask } from './export-tasks.ts'

/** Entry point of a process of `createExportWriters`. */

type Answer = { head: ExportAnswer; bytes?: Uint8Array }

const { systemOf, place, locate } = projections()
const files = fileWriter()

async function answer(task: ExportTask, bytes: Uint8Array<ArrayBuffer>): Promise<Answer> {
  if (task.kind === 'system') return { head: await systemOf(task) }
  if (task.kind === 'place') return place(task, bytes)
  if (task.kind === 'locate') return locate(task, bytes)
  if (task.kind === 'take') return { head: { kind: 'piece' }, bytes: files.take() }
  const refusal = await (task.kind === 'append' ? files.append(task.file, bytes) : files.write(task.form, task.name))
  return { head: refusal === undefined ? { kind: 'done' } : { kind: 'refused', message: refusal } }
}

await runTaskLoop(answer, projAndGdal)
