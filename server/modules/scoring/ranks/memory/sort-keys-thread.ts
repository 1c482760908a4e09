// The thread of sort-keys.ts: sorts one array and transfers it back without copying.
import { parentPort } from 'node:worker_threads'

parentPort?.once('message', (keys: Float64Array<ArrayBuffer>) => {
  parentPort?.postMessage(keys.sort(), [keys.buffer])
})
