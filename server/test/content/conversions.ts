import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type FormPart, formOf } from '../multipart.ts'
import type { Answer, Caller } from '../service.ts'

/** Sends one file to be converted. What takes longer than its request waits (ten seconds) is asked for until it has ended. (One that then turns out to be malformed is kept, and FAILED: in time it would be 400.) */
export async function convertBy(caller: Pick<Caller, 'get' | 'post'>, part: FormPart): Promise<Answer> {
  let answer = await caller.post('/api/upload/convert', formOf(part))
  while (/^(PENDING|PROCESSING)$/.test(answer.body?.status)) {
    await sleep(100)
    answer = await caller.get(`/api/upload/convert?fileId=${answer.body.originalFile.id}`)
  }
  return answer
}

/** Uploads a file without converting it. @returns its result */
export const uploadBy = async (caller: Caller, bytes: Uint8Array, name = 'chair.glb') =>
  (await caller.post('/api/upload', formOf({ name, bytes }))).body.results[0]

export const convertedFileBy = (caller: Caller, fileId: unknown): Promise<Answer> =>
  caller.post(`/api/upload/${fileId}/converted_file`)

export const originalFile = (name: string, fileType: string) => ({
  id: expect.any(Number),
  fileName: name,
  fileType,
  fileUrl: expect.stringContaining('/files/'),
})
/** The answer about a chair.glb of one box, converted. */
export const whole = {
  message: expect.any(String),
  originalFile: originalFile('chair.glb', 'GLB'),
  convertedFile: {
    id: expect.any(Number),
    fileName: 'chair.usdz',
    fileType: 'USDZ',
    fileUrl: expect.stringMatching(/\.usdz$/),
    fileSize: expect.any(Number),
  },
  conversionTime: expect.stringMatching(/^\d+\.\d\ds$/),
  report: expect.objectContaining({ triangles: 12, meshes: 1, notes: expect.any(Array) }),
}
