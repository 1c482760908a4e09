import { createConcurrencyLimiter } from '../../../platform/concurrency/concurrency-limiter.ts'
import { HttpError } from '../../../platform/errors.ts'
import { collectYoungGarbage } from '../../../platform/process/garbage.ts'
import { programFile } from '../../../platform/process/project-files.ts'
import { createProcessPool } from '../../../platform/sandbox/process-pool.ts'
import type { WorkerProcess } from '../../../platform/sandbox/worker-process.ts'
import { readsGrids } from '../../reference-systems/grids/grid-folder.ts'
import { type RowColumns, readColumns } from '../import/import-rows.ts'
import { SurveyFileError } from '../parser/errors.ts'
import type { Detected } from '../parser/read-survey.ts'
import type { Finding } from '../report/report-store.ts'
import type { ReadingOptions } from '../schema.ts'
import type { BatchCounts, HeightAnswer, HeightTask, SurveyAnswer, SurveyTask } from './survey-tasks.ts'

/** A batch from the reader process. Its serialized columns and findings are passed to the database unchanged. */
export type ArrivedBatch = BatchCounts & { columns: RowColumns; findings: Buffer | null }

/** A step of an import: the detected format, a batch of rows, or a finding about the whole file. */
export type ImportStep = { detected: Detected } | { batch: ArrivedBatch } | { findings: Finding[] }

export type SurveyFile = {
  bytes: AsyncIterable<Uint8Array>
  options: ReadingOptions
  /** The boundary of the zone as JSON. */
  boundary: string | null
  /** The box of the zone's other points, if it has no boundary: west, south, east, north. */
  nearby: readonly number[] | null
}

type Options = {
  /** Maximum JavaScript heap of a process, in megabytes. */
  heapMegabytes?: number
  /** Maximum seconds between a chunk of a file, or a batch, and the next batch. */
  seconds?: number
  /** Milliseconds that an idle process is kept. */
  idleMs?: number
  /** Directory of PROJ's grid files. */
  gridFolder?: string
  /** The script that the processes run. */
  script?: URL
}
type Process = WorkerProcess<SurveyTask, SurveyAnswer>
type Answer = { head: SurveyAnswer; bytes: Uint8Array<ArrayBuffer> }

/** A batch has some hundred KiB; a single row may be larger than a batch. */
const MAX_ANSWER = 64 * 2 ** 20
/** Every received byte is copied several times on its way to the database. */
const COPIES = 6
const NOTHING = new Uint8Array()
/** Replies after which a process can read another file. */
const ENDS = new Set<SurveyAnswer['kind']>(['done', 'refused', 'looked'])

export type SurveyReaders = ReturnType<typeof createSurveyReaderPool>

/**
 * Reads survey files, each in a sandboxed process: exhausted memory or an endless loop affects only that file. This
 * process sends the bytes, so the reader needs no storage. It reads one batch ahead. An idle process is kept for a
 * while.
 */
export function createSurveyReaderPool({
  heapMegabytes = 64,
  seconds = 60,
  idleMs = 10_000,
  gridFolder,
  script = programFile('server/modules/surveys/process/survey-process'),
}: Options = {}) {
  const processes = createProcessPool<SurveyTask, SurveyAnswer>(script, {
    heapMegabytes,
    youngMegabytes: 2,
    isSmall: true,
    maxBytes: MAX_ANSWER,
    idleMs,
    ...(gridFolder && readsGrids(gridFolder)),
  })
  const tidyUp = collectYoungGarbage()
  const lookups = createConcurrencyLimiter({
    maxConcurrent: 1,
    maxWaiting: 100,
    full: () =>
      new HttpError(503, 'Too many reference systems are being looked up: retry later', { 'retry-after': '5' }),
  })

  const lookedUp = (task: SurveyTask): Promise<SurveyAnswer> =>
    lookups(() =>
      processes.run(async (process, keep) => {
        const { head } = await process.ask(task, NOTHING, seconds)
        keep()
        return head
      }),
    )

  /** The replies of the process up to the end of the file; feeds it on demand. */
  async function* answers(
    { bytes, options, boundary, nearby }: SurveyFile,
    { settled, looksOnly }: { settled: number; looksOnly: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<Answer, void, undefined> {
    const pieces = bytes[Symbol.asyncIterator]()
    let process: Process | undefined
    const stop = () => void process?.end()
    const ask = (task: SurveyTask, piece: Uint8Array = NOTHING) => process!.ask(task, piece, seconds)
    signal.addEventListener('abort', stop)
    let isDone = false
    try {
      process = await processes.take()
      if (signal.aborted) stop()
      const zone = boundary ? Buffer.from(boundary) : NOTHING
      let answer = await ask({ kind: 'begin', options, nearby, settled, looksOnly }, zone)
      for (;;) {
        tidyUp(COPIES * answer.bytes.length)
        if (answer.head.kind === 'hungry') {
          const { done, value } = await pieces.next()
          answer = await (done ? ask({ kind: 'end' }) : ask({ kind: 'piece' }, value))
          continue
        }
        isDone = ENDS.has(answer.head.kind)
        if (answer.head.kind === 'done') return
        yield answer
        if (isDone) return
        answer = await ask({ kind: 'next' })
      }
    } finally {
      signal.removeEventListener('abort', stop)
      // A process in the middle of a file cannot be reused.
      if (isDone) processes.release(process!)
      else stop()
      await pieces.return?.()
    }
  }

  return {
    /**
     * The steps of an import; each is read while the one before is processed.
     * @param settled rows that an earlier run committed; they are skipped
     * @throws SurveyFileError if the file, or the rest of it, cannot be read; WorkerExited if the process ends;
     * ProcessPoolClosed
     */
    async *steps(file: SurveyFile, settled: number, signal: AbortSignal): AsyncGenerator<ImportStep, void, undefined> {
      for await (const answer of ahead(answers(file, { settled, looksOnly: false }, signal))) yield stepOf(answer)
    },

    /** Whether a file has an invalid row. @throws as `steps` */
    async isFaulty(file: SurveyFile, signal: AbortSignal): Promise<boolean> {
      for await (const { head } of answers(file, { settled: 0, looksOnly: true }, signal)) {
        if (head.kind === 'refused') throw refusalIn(head)
        if (head.kind === 'looked') return head.isFaulty
      }
      return false
    },

    /**
     * The reason why a reference system cannot be used, or null. Looks up one at a time.
     * @throws WorkerExited if the process ends; ProcessPoolClosed; 503 if too many wait
     */
    refusalOfCrs: (crs: string, maxError?: number): Promise<string | null> =>
      lookedUp({ kind: 'crs', crs, maxError }).then((head) => (head.kind === 'crs' ? head.refusal : null)),

    /**
     * Resolves a height reference, and converts a height to the ellipsoid if a place is given.
     * @throws as `refusalOfCrs`
     */
    heightOf: (datum: HeightTask['datum'], at: HeightTask['at']): Promise<HeightAnswer> =>
      lookedUp({ kind: 'height', datum, at }).then((head) => {
        if (head.kind !== 'height') throw new Error(`expected the reply to a height, got ${head.kind}`)
        return head.height
      }),

    /** Ends all processes; pending requests fail. */
    close: processes.close,
  }
}

const refusalIn = ({ code, message, line }: Extract<SurveyAnswer, { kind: 'refused' }>) =>
  new SurveyFileError(code, message, line)

function stepOf({ head, bytes }: Answer): ImportStep {
  if (head.kind === 'refused') throw refusalIn(head)
  if (head.kind !== 'batch') return head as ImportStep
  const { counts, columns, findings } = head
  const all = Buffer.from(bytes.buffer)
  const findingBytes = findings > 0 ? all.subarray(all.length - findings) : null
  return { batch: { ...counts, columns: readColumns(all, columns), findings: findingBytes } }
}

/** Reads one item ahead of the consumer. */
async function* ahead<T>(steps: AsyncGenerator<T>): AsyncGenerator<T, void, undefined> {
  let next = steps.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = steps.next()
      // Handled when the next step is read; until then, the rejection must not be reported as unhandled.
      next.catch(() => {})
      yield value
    }
  } finally {
    await steps.return(undefined)
  }
}
