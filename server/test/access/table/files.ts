import { png } from '../../content/glb.ts'
import { formOf, withTexts } from '../../multipart.ts'
import { at, open, optional, type Rule, user } from './rules.ts'

const tus = { 'tus-resumable': '1.0.0' }

/** Photos, uploads, conversions and downloads. */
export const fileTable: Record<string, Rule> = {
  'POST /api/upload/relocalization': user(200, undefined, () =>
    at('/api/upload/relocalization', formOf({ name: 'a.png', bytes: png })),
  ),
  'GET /api/upload/relocalization': open(
    () => at('/api/upload/relocalization?url=/files/aa/aaaaaaaaaaaaaaaaaaaaaa.png'),
    404,
  ),
  'GET /api/upload/gcp-photos': open((t) => at(`/api/upload/gcp-photos?gcpId=${t.gcp}`)),
  'POST /api/upload/gcp-photos': user(200, 403, (t) =>
    at('/api/upload/gcp-photos', withTexts(formOf({ field: 'files', name: 'a.png', bytes: png }), { gcpId: t.gcp })),
  ),
  'POST /api/upload': optional(() => at('/api/upload', formOf({ name: 'a.txt', bytes: 'hello' })), { clientKey: 'no' }),
  'POST /api/upload/convert': optional(() => at('/api/upload/convert', formOf({ name: 'a.txt', bytes: 'hello' })), {
    clientKey: 'no',
  }),
  'GET /api/upload/convert': optional((t) => at(`/api/upload/convert?fileId=${t.fileId}`)),
  'GET /api/upload/{fileId}/stream': optional((t) => at(`/api/upload/${t.fileId}/stream`)),
  'POST /api/upload/{fileId}/converted_file': optional((t) => at(`/api/upload/${t.fileId}/converted_file`), {
    ok: 400,
  }),
  'POST /api/upload/presigned': optional(
    () => at('/api/upload/presigned', { fileName: 'a.txt', contentType: 'text/plain' }),
    { clientKey: 'no' },
  ),
  'POST /api/upload/tus': optional(() => ({ path: '/api/upload/tus', headers: { ...tus, 'upload-length': '5' } }), {
    ok: 201,
    clientKey: 'no',
  }),
  'GET /api/upload/tus/{id}': optional(async (t) => at(await t.newResumable()), { stranger: 404, clientKey: 'no' }),
  'PATCH /api/upload/tus/{id}': optional(
    async (t) => ({
      path: await t.newResumable(),
      body: 'hello',
      headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    }),
    { ok: 204, stranger: 404, clientKey: 'no' },
  ),
  'DELETE /api/upload/tus/{id}': optional(async (t) => ({ path: await t.newResumable(), headers: tus }), {
    ok: 204,
    stranger: 404,
    clientKey: 'no',
  }),
  'GET /api/download': optional((t) => at(`/api/download?url=${encodeURIComponent(t.fileUrl)}`)),
}
