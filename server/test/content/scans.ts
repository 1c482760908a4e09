import { setTimeout as sleep } from 'node:timers/promises'
import { type FormPart, formOf, withTexts } from '../multipart.ts'
import type { Answer, Caller } from '../service.ts'

const PATH = '/api/v1/user/scans'

/** Sends a file as a scan, with further members. */
export const sendScan = (user: Caller, file: FormPart, texts: Record<string, string | number> = {}): Promise<Answer> =>
  user.post(PATH, withTexts(formOf(file), texts))

/** Uploads a file alone. @returns its ID and URL */
export async function uploadOf(caller: Caller, file: FormPart): Promise<{ fileId: number; url: string }> {
  const { body } = await caller.post('/api/upload', formOf(file))
  return body.results[0]
}

/** Waits until a scan has been processed, and its file converted if applicable. @returns the scan */
export async function settledScan(user: Caller, id: string) {
  for (let i = 0; i < 600; i++) {
    const { status, body } = await user.get(`${PATH}/${id}`)
    if (status !== 200) throw new Error(`no scan: ${JSON.stringify(body)}`)
    const isConverted = body.usdzStatus === null || ['COMPLETED', 'FAILED'].includes(body.usdzStatus)
    if (body.status === 'FAILED' || (body.status === 'COMPLETED' && isConverted)) return body
    await sleep(100)
  }
  throw new Error('The scan was not processed')
}
