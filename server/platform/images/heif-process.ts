import { answerTasks } from '../apart/answer-tasks.ts'
import type { HeifAnswer, HeifTask } from './heif.ts'
import { HeifFault, openLibheif } from './libheif.ts'

/** Runs in a process of `createHeifReader`. Whatever is no HeifFault ends the process, and so is a failure of this image alone. */
const libheif = openLibheif()

await answerTasks(({ kind, mostPixels }: HeifTask, image): { head: HeifAnswer; bytes?: Uint8Array } => {
  try {
    if (kind === 'measure') return { head: libheif.measure(image) }
    const { data, icc, ...size } = libheif.decode(image, mostPixels)
    return { head: { ...size, icc: icc ? Buffer.from(icc).toString('base64') : null }, bytes: data }
  } catch (error) {
    if (error instanceof HeifFault) return { head: { reason: error.message } }
    throw error
  }
})
