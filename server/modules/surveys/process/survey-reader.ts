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

/** A batch as it came from the process that read it. Its columns and findings go on to the database as they are. */
export type ArrivedBatch = BatchCounts & { columns: RowColumns; findings: Buffer | null }

/** A step of an import: what the file is, rows to settle, or what concerns the file as a whole. */
export type ImportStep = { detected: Detected } | { batch: ArrivedBatch } | { findings: Finding[] }

export type SurveyFile = {
  bytes: AsyncIterable<Uint8Array>
  options: ReadingOptions
  /** The boundary of its zone as JSON. */
  boundary: string | null
}

type Options = {
  /** Megabytes of JavaScript heap a process may fill. */
  heapMegabytes?: number
  /** Seconds from a piece of a file, or a batch, to the next batch. */
  seconds?: number
  /** Milliseconds a process without work keeps its memory. */
  idleMs?: number
  /** Where PROJ finds grid files. */
  gridFolder?: string
  /** What the processes run. */
  script?: URL
}
type Process = WorkerProcess<SurveyTask, SurveyAnswer>
type Answer = { head: SurveyAnswer; bytes: Uint8Array<ArrayBuffer> }

/** A batch is some hundred KiB; one row may be larger than a batch should be. */
const MAX_ANSWER = 64 * 2 ** 20
/** Of each byte that arrives there are some copies on its way to the database. */
const COPIES = 6
const NOTHING = new Uint8Array()
/** Answers after which a process can take another file. */
const ENDS = new Set<SurveyAnswer['kind']>(['done', 'refused', 'looked'])

export type SurveyReaders = ReturnType<typeof createSurveyReaderPool>

/**
 * Reads survey files, each in a process of its own: what a file makes of its process, a full heap, a loop, befalls that
 * process alone, and its memory goes with it. The bytes are handed in from here, so the process needs no storage. It
 * works on the next batch while this one is being done, and no further. A process stays a while for the next file.
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
    lookups(async () => {
      const process = await processes.take()
      const { head } = await process.ask(task, NOTHING, seconds)
      processes.giveBack(process)
      return head
    })

  /** What the process answers until the file is done, fed as it gets hungry. */
  async function* answers(
    { bytes, options, boundary }: SurveyFile,
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
      let answer = await ask({ kind: 'begin', options, settled, looksOnly }, zone)
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
      // In the middle of a file it is of no more use.
      if (isDone) processes.giveBack(process!)
      else stop()
      await pieces.return?.()
    }
  }

  return {
    /**
     * The steps of an import, each made while the one before is being done.
     * @param settled rows that an earlier run settled: they are left out
     * @throws SurveyFileError when the file as a whole, or what is left of it, cannot be read; WorkerExited when the process ends over it; ProcessPoolClosed
     */
    async *steps(file: SurveyFile, settled: number, signal: AbortSignal): AsyncGenerator<ImportStep, void, undefined> {
      for await (const answer of ahead(answers(file, { settled, looksOnly: false }, signal))) yield stepOf(answer)
    },

    /** Whether any row of a file is faulty. @throws as `steps` */
    async isFaulty(file: SurveyFile, signal: AbortSignal): Promise<boolean> {
      for await (const { head } of answers(file, { settled: 0, looksOnly: true }, signal)) {
        if (head.kind === 'refused') throw refusalIn(head)
        if (head.kind === 'looked') return head.isFaulty
      }
      return false
    },

    /**
     * Why a reference system cannot be used, in one sentence, or null. One is looked up at a time.
     * @throws WorkerExited when the process ends over it; ProcessPoolClosed; 503 when too many wait
     */
    refusalOfCrs: (crs: string, maxError?: number): Promise<string | null> =>
      lookedUp({ kind: 'crs', crs, maxError }).then((head) => (head.kind === 'crs' ? head.refusal : null)),

    /** Reads what a height is above, and brings it to the ellipsoid where a place is given. @throws as `refusalOfCrs` */
    heightOf: (datum: HeightTask['datum'], at: HeightTask['at']): Promise<HeightAnswer> =>
      lookedUp({ kind: 'height', datum, at }).then((head) => {
        if (head.kind !== 'height') throw new Error(`a height was asked for, and ${head.kind} was answered`)
        return head.height
      }),

    /** Ends all processes; what they were asked is refused. */
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
  const said = findings > 0 ? all.subarray(all.length - findings) : null
  return { batch: { ...counts, columns: readColumns(all, columns), findings: said } }
}

/** The same, each asked for while the one before is being done. */
async function* ahead<T>(steps: AsyncGenerator<T>): AsyncGenerator<T, void, undefined> {
  let next = steps.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = steps.next()
      // It is looked at only after this step was done; until then nobody hears it fail.
      next.catch(() => {})
      yield value
    }
  } finally {
    await steps.return(undefined)
  }
}
