import { type MessagePort, parentPort } from 'node:worker_threads'
import { HttpError } from '../../../platform/errors.ts'
import { formats } from '../formats.ts'
import type { Place } from '../process/export-writers.ts'
import { measureProjection, toSystemBatches, toWgs84Batches } from '../projections/projected-batches.ts'
import type { Export, ExportedGcp, ExportFormat } from '../schema.ts'
import { type Caller, callerOver } from './caller.ts'
import type { Ended, Failure, FromThread, Job, Piece } from './messages.ts'

/** Entry point of the thread of `createExportThread`: all jobs that run at a time take turns in it. */
parentPort!.on('message', ({ job, port }: { job: Job; port: MessagePort }) => {
  const caller = callerOver(port)
  done(job, caller).then(
    (ended) => port.postMessage({ ended } satisfies FromThread),
    (error) => port.postMessage({ ended: { failed: failureOf(error) } } satisfies FromThread),
  )
})

async function done(job: Job, caller: Caller): Promise<Ended> {
  const place: Place = (_asked, pairs) => caller.call('place', pairs)
  if (job.kind === 'measure') return { measured: await measureProjection(pointsOf(job, caller), { ...job, place }) }
  const { name, operations, located } = job
  const points = pointsOf<ExportedGcp>(job, caller)
  const source: Export = {
    name,
    operations,
    system: located?.system,
    batches: located ? toSystemBatches(points, { ...located, place }) : toWgs84Batches(points),
    photosOf: (gcpIds) => caller.call('photosOf', gcpIds),
    otherPhotos: () => caller.call('otherPhotos'),
  }
  for await (const piece of piecesOf(job.format, source)) await caller.take(piece)
  return {}
}

/** The points as they were selected, in batches. */
async function* pointsOf<Point extends object>({ names }: Job, caller: Caller): AsyncGenerator<Point[]> {
  for (;;) {
    const text = await caller.call('points')
    if (text === undefined) return
    const rows = JSON.parse(typeof text === 'string' ? text : decoder.decode(text)) as unknown[][]
    yield rows.map((values) => Object.fromEntries(names.map((name, at) => [name, values[at]])) as Point)
  }
}

/** Characters of a piece: each takes a turn of the main thread. */
const PIECE = 128 * 1024

async function* piecesOf(format: ExportFormat, source: Export): AsyncGenerator<Piece> {
  const form = formats[format]
  if ('write' in form) {
    let text = ''
    for await (const piece of form.write(source)) {
      if (typeof piece !== 'string') yield { bytes: Uint8Array.from(piece) }
      else text += piece
      if (text.length < PIECE) continue
      yield { bytes: encoder.encode(text) }
      text = ''
    }
    if (text !== '') yield { bytes: encoder.encode(text) }
  } else for await (const { file, text } of form.pieces(source)) yield { file, bytes: encoder.encode(text) }
}

/** Its bytes are in memory of their own, which can be transferred. */
const encoder = new TextEncoder()
const decoder = new TextDecoder()

function failureOf(error: unknown): Failure {
  if (error instanceof HttpError) return { message: error.message, http: { status: error.status, error: error.error } }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
