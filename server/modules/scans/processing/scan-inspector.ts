import { programFile } from '../../../platform/process/project-files.ts'
import { createProcessPool } from '../../../platform/sandbox/process-pool.ts'
import { WorkerExited, type WorkerProcess } from '../../../platform/sandbox/worker-process.ts'
import { readsGrids } from '../../reference-systems/grids/grid-folder.ts'
import { type Inspection, ScanFault } from './inspection.ts'
import type { ScanAnswer, ScanTask } from './scan-tasks.ts'

/** A stored file. Its type is detected from its bytes, not from its name or declared type. */
export type ScanFile = { bytes: AsyncIterable<Uint8Array>; size: number; fileName: string; mimeType: string }

type Options = {
  /** Maximum JavaScript heap of a process, in megabytes; counts bound the arrays of a model. */
  heapMegabytes?: number
  /** Maximum seconds between chunks of a file, and from the last chunk to the preview. */
  seconds?: number
  /** Milliseconds that an idle process is kept. */
  idleMs?: number
  /** Directory of PROJ's grid files. */
  gridFolder?: string
  /** The script that the processes run. */
  script?: URL
}

type Process = WorkerProcess<ScanTask, ScanAnswer>

const NOTHING = new Uint8Array()
const PIECE = 2 ** 20
/** Limit of a preview; usual ones have some ten KB. */
const MAX_ANSWER = 64 * 2 ** 20
/** Files after which a process is replaced: decoders leak memory. */
const LARGE_FILE = 16 * 2 ** 20

export type ScanInspector = ReturnType<typeof createScanInspector>

/**
 * Reads scans and draws their previews, each in a sandboxed process: an endless loop, exhausted memory or crash affects
 * only that file. This process sends the bytes. The caller bounds how many files are read at once: one may take a
 * processor for seconds and a gigabyte of memory.
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
      // For most files that are only kept, the first chunk is enough.
      await pieces.return(undefined)
    }
  }

  return {
    /**
     * The metadata of a file, and its preview.
     * @throws ScanFault if the file cannot be read; WorkerExited if the process was ended or killed from outside;
     * ProcessPoolClosed; the signal's reason; errors of the byte source
     */
    inspect: (file: ScanFile, signal: AbortSignal): Promise<Inspection> =>
      processes.run(async (process, keep) => {
        const { head, bytes } = await ask(process, file).catch((error) => {
          throw error instanceof WorkerExited ? faultOf(error, seconds) : error
        })
        if (file.size < LARGE_FILE) keep()
        if (head.kind === 'refused') throw new ScanFault(head.code, head.message)
        const { preview, ...found } = head.inspection
        return { ...found, preview: preview && { bytes, mimeType: 'image/webp', ...preview } }
      }, signal),

    /** Ends all processes; pending requests reject with WorkerExited. */
    close: processes.close,
  }
}

/** A process that failed on a file would fail on it again. One that was stopped or killed says nothing about the file. */
function faultOf(error: WorkerExited, seconds: number): Error {
  if (error.why === 'late')
    return new ScanFault('late', `The file took longer than ${seconds} s to read: send a simpler one`)
  if (error.why === 'memory')
    return new ScanFault('memory', 'The file needs more memory to read than one file may take: send a simpler one')
  if (error.why === 'fault') return new ScanFault('damaged', 'The file cannot be read: it is damaged', { cause: error })
  return error
}

/** Chunks large enough to be worth a message each. */
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
