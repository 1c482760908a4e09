import type { Builders } from '../../builders.ts'
import { type FormPart, formOf, withTexts } from '../../multipart.ts'
import type { Answer, Caller, Service } from '../../service.ts'
import { jpeg } from '../pictures.ts'

export const photosPath = '/api/upload/gcp-photos'
export const picture = await jpeg(60, 40)

/** A photo as a part of a form. */
export const photo = (part: Partial<FormPart> = {}): FormPart => ({
  field: 'files',
  name: 'a.jpg',
  bytes: picture,
  ...part,
})

type Texts = { gcpId?: number | string; userId?: string }
type Photo = { id: number; fileUrl: string; bucketPath: string }
type Gcp = { id: number; photoUrls: string[]; uploadedFiles: { id: number }[] }

/** Common steps of photo tests, by default as `maker`. */
export async function photoSteps(service: Service, given: Builders) {
  const maker = await given.user()
  let count = 0
  const ok = ({ status, body }: Answer) => {
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
    return body
  }

  const send = (parts: FormPart[], texts: Texts = {}, as: Caller = maker) =>
    as.post(photosPath, withTexts(formOf(...parts), texts as Record<string, string>))
  return {
    maker,
    stranger: await given.user(),
    ops: await given.user({ roles: ['ops'] }),
    send,
    /** One accepted photo. */
    sent: async (texts: Texts = {}, as: Caller = maker): Promise<Photo> =>
      ok(await send([photo()], texts, as)).files[0],
    newGcp: async (body: object = {}, as: Caller = maker): Promise<Gcp> =>
      ok(await as.post('/api/gcp', { title: `Point ${++count}`, gcpType: 'SINGLE', ...body })).gcp,
    gcp: async (id: number) => ok(await service.anonymous.get(`/api/gcp/${id}`)),
  }
}
