import { programFile } from '../../../platform/process/project-files.ts'
import { createProcessPool } from '../../../platform/sandbox/process-pool.ts'
import { WorkerExited, type WorkerProcess } from '../../../platform/sandbox/worker-process.ts'
import { readsGrids } from '../../reference-systems/grids/grid-folder.ts'
import { type Inspection, ScanFault } from './inspection.ts'
import type { ScanAnswer, ScanTask } from './scan-tasks.ts'

/** A file as it is stored. What its sender called it does not count: its type is read from its bytes. */
export type ScanFile = { bytes: AsyncIterable<Uint8Array>; size: number; fileName: string; mimeType: string }

type Options = {
  /** Megabytes of JavaScript heap a process may fill; the arrays of a model are bounded by its counts. */
  heapMegabytes?: number
  /** Seconds from a piece of a file to the next, and from the last one to the picture. */
  seconds?: number
  /** Milliseconds a process without work stays for the next file. */
  idleMs?: number
  /** Where PROJ finds grid files. */
  gridFolder?: string
  /** What the processes run. */
  script?: URL
}

type Process = WorkerProcess<ScanTask, ScanAnswer>

const NOTHING = new Uint8Array()
const PIECE = 2 ** 20
/** A preview is some ten KB. */
const MAX_ANSWER = 64 * 2 ** 20
/** Files after which a process has to go: the memory of decoders only grows. */
const LARGE_FILE = 16 * 2 ** 20

export type ScanInspector = ReturnType<typeof createScanInspector>

/**
 * Reads scans and draws their previews, each in a process apart: what a file makes of its process, a loop, a full
 * memory, a crash, befalls that process alone. The bytes are handed in from here. How many files are read at once is
 * for the caller to bound: one may take a processor for seconds, and memory of a gigabyte.
 */
export function createScanInspector({
  heapMegabytes = 1024,
  seconds = 120,
  idleMs = 10_000,
  gridFolder,
  script = programFile('server/modules/scans/processing/scan-process'),
}: Options = {}) {
  const processes = createProcessPool<ScanTask, ScanAnswer>(script, {
    heapMegabytes,
    maxBytes: MAX_ANSWER,
    idleMs,
    ...(gridFolder && readsGrids(gridFolder)),
  })

  async function ask(process: Process, { bytes, size }: ScanFile) {
    const pieces = gathered(bytes)
    try {
      let answer = await process.ask({ kind: 'begin', size }, NOTHING, seconds)
      while (answer.head.kind === 'hungry') {
        const { done, value } = await pieces.next()
        answer = await (done
          ? process.ask({ kind: 'end' }, NOTHING, seconds)
          : process.ask({ kind: 'piece' }, value, seconds))
      }
      return { head: answer.head, bytes: answer.bytes }
    } finally {
      // Of most files that are only kept, the first piece is enough.
      await pieces.return(undefined)
    }
  }

  return {
    /**
     * What is in a file, and its preview.
     * @throws ScanFault when the file is at fault; WorkerExited when the process was ended or killed from outside;
     * ProcessPoolClosed; the signal's reason; whatever reading the bytes throws
     */
    async inspect(file: ScanFile, signal: AbortSignal): Promise<Inspection> {
      signal.throwIfAborted()
      const process = await processes.take()
      const stop = () => void process.end()
      signal.addEventListener('abort', stop)
      let isReusable = false
      try {
        if (signal.aborted) stop()
        const { head, bytes } = await ask(process, file)
        isReusable = file.size < LARGE_FILE
        if (head.kind === 'refused') throw new ScanFault(head.code, head.message)
        const { preview, ...found } = head.inspection
        return { ...found, preview: preview && { bytes, mimeType: 'image/webp', ...preview } }
      } catch (error) {
        signal.throwIfAborted()
        throw error instanceof WorkerExited ? faultOf(error, seconds) : error
      } finally {
        signal.removeEventListener('abort', stop)
        if (isReusable) processes.giveBack(process)
        else stop()
      }
    },

    /** Ends all processes; what they were asked is refused with WorkerExited. */
    close: processes.close,
  }
}

/** A process that failed on a file would fail on it again; one that was told to go, or was killed, says nothing of it. */
function faultOf(error: WorkerExited, seconds: number): Error {
  if (error.why === 'late')
    return new ScanFault('late', `The file took longer than ${seconds} s to read: send a simpler one`)
  if (error.why === 'memory')
    return new ScanFault('memory', 'The file needs more memory to read than one file may take: send a simpler one')
  if (error.why === 'fault') return new ScanFault('damaged', 'The file cannot be read: it is damaged', { cause: error })
  return error
}

/** Pieces of a size that is worth a message each. */
async function* gathered(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    parts.push(part)
    size += part.length
    if (size < PIECE) continue
    yield parts.length === 1 ? part : Buffer.concat(parts)
    parts = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(parts)
}
