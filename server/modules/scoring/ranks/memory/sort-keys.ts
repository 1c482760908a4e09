import { Worker } from 'node:worker_threads'

/** Sorting this many takes about 5 ms; more is done in a thread, so that the event loop is not blocked. */
const inPlaceLimit = 50_000

/** Sorts in ascending order; the caller must not use the array afterwards. */
export async function sortKeys(keys: Float64Array<ArrayBuffer>): Promise<Float64Array> {
  if (keys.length <= inPlaceLimit) return keys.sort()
  const worker = new Worker(new URL('./sort-keys-thread.ts', import.meta.url))
  try {
    return await new Promise<Float64Array>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', (code) => reject(new Error(`The sorting thread ended with code ${code}`)))
      worker.postMessage(keys, [keys.buffer])
    })
  } finally {
    await worker.terminate()
  }
}
