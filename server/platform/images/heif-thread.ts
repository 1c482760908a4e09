import { parentPort } from 'node:worker_threads'
import type { HeifAnswer, HeifTask } from './heif.ts'
import { HeifFault, openLibheif } from './libheif.ts'

/** Runs in a thread of `createHeifReader`. Whatever is no HeifFault ends the thread, and so is a failure of this image alone. */
const libheif = openLibheif()

parentPort!.on('message', ({ kind, bytes, mostPixels }: HeifTask) => {
  const answer = answerTo(() => (kind === 'measure' ? libheif.measure(bytes) : libheif.decode(bytes, mostPixels)))
  parentPort!.postMessage(answer, 'data' in answer ? [answer.data.buffer as ArrayBuffer] : [])
})

function answerTo(work: () => HeifAnswer): HeifAnswer {
  try {
    return work()
  } catch (error) {
    if (error instanceof HeifFault) return { fault: error.message }
    throw error
  }
}
