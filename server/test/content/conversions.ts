import { setTimeout as sleep } from 'node:timers/promises'
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
