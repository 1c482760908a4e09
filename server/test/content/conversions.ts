import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type FormPart, formOf } from '../multipart.ts'
import type { Answer, Caller } from '../service.ts'

/** Sends one file for conversion, and polls until it has ended if it takes longer than the ten seconds of the request. (A file that then turns out to be malformed is kept as FAILED; within ten seconds it is 400.) */
export async function convertBy(caller: Pick<Caller, 'get' | 'post'>, part: FormPart, options = ''): Promise<Answer> {
  let answer = await caller.post(`/api/upload/convert?${options}`, formOf(part))
  while (/^(PENDING|PROCESSING)$/.test(answer.body?.status)) {
    await sleep(100)
    answer = await caller.get(`/api/upload/convert?fileId=${answer.body.originalFile.id}&${options}`)
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
/** The response for a chair.glb of one box, converted. */
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
