import { programFile } from '../../../platform/process/project-files.ts'
import { createProcessPool } from '../../../platform/sandbox/process-pool.ts'
import { WorkerExited, type WorkerProcess } from '../../../platform/sandbox/worker-process.ts'
import { type PhotoFacts, PhotoFault } from '../reading/photo-facts.ts'
import type { PhotoAnswer, PhotoTask } from './photo-tasks.ts'

type Process = WorkerProcess<PhotoTask, PhotoAnswer>
type Options = {
  /** Maximum seconds between chunks of a photo, and from the last chunk to the answer. */
  seconds?: number
  /** Milliseconds that an idle process is kept. */
  idleMs?: number
  /** The script that the processes run. */
  script?: URL
}

const NOTHING = new Uint8Array()
const MAX_ANSWER = 2 ** 20
/** Heap of JavaScript; pixels lie outside of it, and the memory of the detector has a limit of its own, 1 GiB. */
const HEAP_MEGABYTES = 128

/**
 * Finds AprilTags, EXIF, sharpness and exposure of photos in sandboxed processes: a photo that makes a decoder loop,
 * exhaust its memory or crash affects only itself. The caller bounds how many are read at once: one of 12 megapixels takes
 * three seconds of a processor and half a gigabyte, one of 50 fifteen seconds.
 */
export function createPhotoReader({
  seconds = 180,
  idleMs = 10_000,
  script = programFile('server/modules/tags/process/photo-process'),
}: Options = {}) {
  const processes = createProcessPool<PhotoTask, PhotoAnswer>(script, {
    heapMegabytes: HEAP_MEGABYTES,
    maxBytes: MAX_ANSWER,
    idleMs,
  })

  async function ask(process: Process, bytes: AsyncIterable<Uint8Array>, size: number): Promise<PhotoAnswer> {
    let at = 0
    for await (const piece of bytes) {
      await process.ask({ kind: 'piece', at, size }, piece, seconds)
      at += piece.length
    }
    const { head } = await process.ask({ kind: 'read' }, NOTHING, seconds)
    return head
  }

  return {
    /**
     * What a photo shows. @throws PhotoFault if it cannot be read; WorkerExited if the process was ended or killed from
     * outside; ProcessPoolClosed; the signal's reason; errors of the byte source
     */
    read: (
      { bytes, size }: { bytes: AsyncIterable<Uint8Array>; size: number },
      signal: AbortSignal,
    ): Promise<PhotoFacts> =>
      processes.run(async (process, keep) => {
        const answer = await ask(process, bytes, size).catch((error) => {
          throw error instanceof WorkerExited ? faultOf(error, seconds) : error
        })
        keep()
        if (answer.kind === 'refused') throw new PhotoFault(answer.message)
        return (answer as Extract<PhotoAnswer, { kind: 'read' }>).facts
      }, signal),

    /** Ends all processes; pending requests reject with WorkerExited. */
    close: processes.close,
  }
}

/** A process that failed on a photo would fail on it again. One that was stopped or killed says nothing about it. */
function faultOf(error: WorkerExited, seconds: number): Error {
  if (error.why === 'late') return new PhotoFault(`The photo took longer than ${seconds} s to read: send a simpler one`)
  if (error.why === 'memory') return new PhotoFault('The photo needs more memory than one may take: send a simpler one')
  if (error.why === 'fault') return new PhotoFault('The photo cannot be read: it is damaged')
  return error
}
