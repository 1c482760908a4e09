import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import { badRequest, unavailable } from '../../../platform/errors.ts'
import { programFile } from '../../../platform/process/project-files.ts'
import { createProcessPool } from '../../../platform/sandbox/process-pool.ts'
import { exitCause } from '../../../platform/sandbox/worker-process.ts'
import { readsGrids } from '../../reference-systems/grids/grid-folder.ts'
import type { ExportSystem } from '../schema.ts'
import type { Piece } from '../thread/messages.ts'
import type { AskedSystem, ExportAnswer, ExportTask, FileForm, PlacedCounts } from './export-tasks.ts'

type Answer = { head: ExportAnswer; bytes: Uint8Array<ArrayBuffer> }
type Options = {
  /** Concurrent exports. */
  atOnce?: number
  /** What waits when it is too much. */
  waiting?: string
  /** Time limit of the longest step in seconds. */
  seconds?: number
  /** Milliseconds that an idle process is kept. */
  idleMs?: number
  /** The folder of PROJ's grid files. */
  gridFolder?: string
}

const MAX_WAITING = 100
const MAX_ANSWER = 64 * 2 ** 20
const NOTHING = new Uint8Array()

/** Transforms pairs of coordinates; NaN where that is impossible. */
export type Place = (asked: AskedSystem, pairs: Float64Array) => Promise<{ pairs: Float64Array; placed: PlacedCounts }>

/** A file for GDAL to write, and its source, created with the process that writes it. */
export type FileToWrite = { form: FileForm; name: string; pieces: (place: Place) => AsyncIterable<Piece> }

export type ExportWriters = ReturnType<typeof createExportWriters>

/**
 * Runs PROJ and GDAL for exports in sandboxed processes, which take about 100 MB each and end when idle. A few exports
 * run at once; the others wait their turn.
 */
export function createExportWriters({
  atOnce = 2,
  waiting = 'exports',
  seconds = 600,
  idleMs = 10_000,
  gridFolder,
}: Options = {}) {
  const processes = createProcessPool<ExportTask, ExportAnswer>(
    programFile('server/modules/exports/process/export-process'),
    {
      heapMegabytes: 128,
      youngMegabytes: 8,
      isSmall: true,
      maxBytes: MAX_ANSWER,
      idleMs,
      ...(gridFolder && readsGrids(gridFolder)),
    },
  )
  const limited = createConcurrencyLimiter({
    maxConcurrent: atOnce,
    maxWaiting: MAX_WAITING,
    full: () => unavailable(`Too many ${waiting} are waiting: retry later`, 30),
  })

  /** Runs work on a process. One that fails in the middle is discarded. */
  const withProcess = <T>(work: (ask: Ask) => Promise<T>, signal?: AbortSignal): Promise<T> =>
    limited(() =>
      processes.run(async (process, keep) => {
        try {
          const result = await work(async (task, bytes = NOTHING) => accepted(await process.ask(task, bytes, seconds)))
          keep()
          return result
        } catch (error) {
          if (exitCause(error) === 'memory') throw badRequest(TOO_LARGE)
          if (exitCause(error) === 'late') throw unavailable(TOO_LATE, 60)
          if (!(error instanceof Refused)) throw error
          keep()
          throw badRequest(error.message)
        }
      }, signal),
    )

  return {
    /** Resolves a reference system. @throws HttpError 400 with the reason if it cannot be used for export */
    system: (asked: AskedSystem): Promise<ExportSystem> =>
      withProcess(async (ask) => {
        const { head } = await ask({ kind: 'system', ...asked })
        return (head as Extract<ExportAnswer, { kind: 'system' }>).system
      }),

    place: ((asked, pairs) => withProcess((ask) => placeBy(ask)(asked, pairs))) satisfies Place,

    /** From longitude and latitude to coordinates in the order and units of the register. */
    toAxes: ((asked, pairs) =>
      withProcess((ask) => placeBy(ask, { kind: 'place', axes: 'registered' })(asked, pairs))) satisfies Place,

    /** The inverse of `toAxes`. Points outside the system's area have a position too. */
    fromAxes: ((asked, pairs) => withProcess((ask) => placeBy(ask, { kind: 'locate' })(asked, pairs))) satisfies Place,

    /**
     * Writes a file and passes its chunks to `take` in order. @throws HttpError 400 with the reason if the format
     * cannot hold the points
     */
    write: ({ form, name, pieces }: FileToWrite, take: (piece: Uint8Array) => Promise<void>, signal?: AbortSignal) =>
      withProcess(async (ask) => {
        for await (const { file, bytes } of pieces(placeBy(ask))) await ask({ kind: 'append', file: file! }, bytes)
        await ask({ kind: 'write', form, name })
        for (;;) {
          const { bytes } = await ask({ kind: 'take' })
          if (bytes.length === 0) return
          await take(bytes)
        }
      }, signal),

    /** Ends all processes; their tasks fail. */
    close: processes.close,
  }
}

type Ask = (task: ExportTask, bytes?: Uint8Array) => Promise<Answer>

type Step = { kind: 'place'; axes?: 'registered' } | { kind: 'locate' }

const placeBy =
  (ask: Ask, step: Step = { kind: 'place' }): Place =>
  async (asked, pairs) => {
    const { head, bytes } = await ask({ ...step, ...asked }, new Uint8Array(pairs.buffer))
    const { placed } = head as Extract<ExportAnswer, { kind: 'placed' }>
    return { pairs: new Float64Array(bytes.buffer), placed }
  }

class Refused extends Error {}

const TOO_LATE = 'The export took too long: retry when the service is less busy, or export as csv or geojson'
const TOO_LARGE = 'The export needs too much memory in this format: export as csv or geojson'

function accepted(answer: Answer): Answer {
  if (answer.head.kind === 'refused') throw new Refused(answer.head.message)
  return answer
}
