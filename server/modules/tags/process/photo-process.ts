import { setFlagsFromString } from 'node:v8'
import { imageLibrary } from '../../../platform/images/image-library.ts'
import { loadLibheif } from '../../../platform/images/libheif.ts'
import { runTaskLoop } from '../../../platform/sandbox/task-loop.ts'
import { loadDetector } from '../detector/detector.ts'
import { PhotoFault } from '../reading/photo-facts.ts'
import { readPhoto } from '../reading/read-photo.ts'
import type { PhotoAnswer, PhotoTask } from './photo-tasks.ts'

/** Entry point of a process of `createPhotoReader`. Errors other than PhotoFault end the process. */

// Code that is compiled fast and runs slowly would double the time of the first photo.
setFlagsFromString('--no-liftoff')

let photo = new Uint8Array()

async function answer(task: PhotoTask, bytes: Uint8Array): Promise<{ head: PhotoAnswer }> {
  if (task.kind === 'piece') {
    if (task.at === 0) photo = new Uint8Array(task.size)
    photo.set(bytes, task.at)
    return { head: { kind: 'taken' } }
  }
  try {
    return { head: { kind: 'read', facts: await readPhoto(photo) } }
  } catch (error) {
    if (!(error instanceof PhotoFault)) throw error
    return { head: { kind: 'refused', message: error.message } }
  } finally {
    photo = new Uint8Array()
  }
}

const loadAhead = async () => {
  loadDetector()
  await Promise.all([imageLibrary(), loadLibheif()])
}

await runTaskLoop(answer, { load: loadAhead })
