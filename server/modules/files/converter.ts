import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { imageLibrary } from '../../platform/images/image-library.ts'
import { askThread, ConversionFailure, type ConversionLimits, type ThreadTask } from './converter-task.ts'
import type { ConversionReport } from './schema.ts'

/** The service is stopping; the model is not to blame. */
export class ConverterClosed extends Error {}

/** A USDZ, and how long it took to make. */
export type Converted = { usdz: Uint8Array; report: ConversionReport; seconds: number }

type Load = () => Promise<Uint8Array>
type Waiting = { kind: ThreadTask['kind']; start: () => void; refuse: (error: Error) => void }
type Options = {
  /** Size of the largest GLB. */
  maxBytes: number
  /** Seconds one conversion may take. */
  seconds: number
  /** Conversions at once: one more than the machine does side by side, which is for those whom a single sender would keep waiting. A check of an upload always finds one thread more. */
  size?: number
  /** Megabytes of JavaScript heap a thread may fill. */
  heapMegabytes?: number
  /** Milliseconds a thread without work keeps its memory. */
  idleMs?: number
  /** The script of the threads. */
  thread?: URL
}

/** How long closing waits for threads to end: one deep in native code does not until that returns. */
const CLOSE_MS = 2000

export type Converter = ReturnType<typeof createConverter>

/** Converts in threads that stay for the next model, started as they are first needed. A thread that loops, dies or fills its memory ends alone: its model fails and the next one gets a new thread. */
export function createConverter({
  maxBytes,
  seconds,
  size = availableParallelism() + 1,
  heapMegabytes = 1024,
  idleMs = 30_000,
  thread = new URL('./converter-thread.ts', import.meta.url),
}: Options) {
  const limits: ConversionLimits = { bytes: maxBytes }
  const threads = new Set<Worker>()
  const idle = new Map<Worker, NodeJS.Timeout>()
  const queue: Waiting[] = []
  const running = { check: 0, convert: 0 }
  const stop = new AbortController()
  let closed = false

  /** The thread that was used last, so that the others may go. */
  function takeIdle(): Worker | undefined {
    const [worker, timer] = [...idle].at(-1) ?? []
    clearTimeout(timer)
    if (worker) idle.delete(worker)
    return worker
  }

  function putIdle(worker: Worker) {
    const retire = () => {
      idle.delete(worker)
      void worker.terminate()
    }
    idle.set(worker, setTimeout(retire, idleMs))
  }

  async function spawn(): Promise<Worker> {
    // Which image loaders are open is the whole process's, and settled before a thread reads a texture.
    await imageLibrary()
    const worker = new Worker(thread, {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 128, stackSizeMb: 8 },
    })
    threads.add(worker)
    worker.on('error', () => {})
    worker.once('exit', () => {
      threads.delete(worker)
      clearTimeout(idle.get(worker))
      idle.delete(worker)
    })
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve())
      worker.once('error', reject)
      worker.once('exit', () => reject(closed ? new ConverterClosed() : new Error('A converter thread did not start')))
    })
    return worker
  }

  const mayStart = (kind: ThreadTask['kind']) =>
    running.check + running.convert <= size && (kind === 'check' || running.convert < size)

  function startWaiting() {
    for (
      let at = queue.findIndex(({ kind }) => mayStart(kind));
      at >= 0;
      at = queue.findIndex((one) => mayStart(one.kind))
    ) {
      const [next] = queue.splice(at, 1)
      running[next!.kind]++
      next!.start()
    }
  }

  async function run(kind: ThreadTask['kind'], load: Load): Promise<Converted> {
    if (closed) throw new ConverterClosed()
    await new Promise<void>((start, refuse) => {
      queue.push({ kind, start, refuse })
      startWaiting()
    })
    try {
      const glb = await load()
      if (closed) throw new ConverterClosed()
      const worker = takeIdle() ?? (await spawn())
      const began = performance.now()
      const task = { kind, glb, limits }
      const answer = await askThread(worker, task, { seconds, stop: stop.signal }).catch((error) => {
        // Not awaited: the next model needs the slot now. The process does not stay for a thread that will not end.
        void worker.terminate()
        worker.unref()
        throw closed ? new ConverterClosed() : error
      })
      putIdle(worker)
      if (!answer.ok) throw new ConversionFailure(answer.code, answer.message)
      return { usdz: answer.usdz!, report: answer.report!, seconds: (performance.now() - began) / 1000 }
    } finally {
      running[kind]--
      startWaiting()
    }
  }

  return {
    size,
    maxBytes,

    /** Looks at the container only. @throws ConversionFailure when it is no readable GLB. */
    async check(load: Load): Promise<void> {
      await run('check', load)
    },

    /** @param load gives the GLB once a thread is free for it; its buffer goes to the thread.
     * @throws ConversionFailure when there is no USDZ of it; ConverterClosed when the service stops. */
    convert: (load: Load): Promise<Converted> => run('convert', load),

    /** Ends all threads; what waits or runs is refused with ConverterClosed. A thread that does not end is left behind. */
    async close() {
      closed = true
      for (const { refuse } of queue.splice(0)) refuse(new ConverterClosed())
      stop.abort()
      const ended = Promise.all([...threads].map((worker) => worker.terminate()))
      const patience = new AbortController()
      await Promise.race([ended, sleep(CLOSE_MS, undefined, { signal: patience.signal }).catch(() => {})])
      patience.abort()
    },
  }
}
