import { randomBytes } from 'node:crypto'
import { boxGlb } from '../../server/test/content/glb.ts'
import { jpeg } from '../../server/test/content/pictures.ts'
import { type Answer, type Client, expectStatus, type Lost } from './client.ts'
import type { Game } from './game.ts'

export type Upload = { name: string; send: () => Promise<Answer | Lost> }

/** Uploads a small file through every endpoint that stores files; the result is the last response. */
export async function everyUpload(client: Client, game: Game): Promise<Upload[]> {
  const user = { authorization: `Bearer ${game.token}` }
  const app = { 'x-app-api-key': game.key }
  const picture = await jpeg(600, 600)
  const bytes = () => randomBytes(100_000)
  const sent = (path: string, part: Part, headers: Headers, method = 'POST') =>
    client.send({ method, path, ...form(part, headers) })
  const image = (name: string) => ({ name, fileName: 'a.jpg', bytes: picture })

  return [
    { name: 'a form', send: () => sent('/api/upload', { name: 'files', fileName: 'a.bin', bytes: bytes() }, {}) },
    {
      name: 'a model',
      send: () => sent('/api/upload/convert', { name: 'file', fileName: 'a.glb', bytes: boxGlb() }, {}),
    },
    {
      name: 'a scan',
      send: () => sent('/api/v1/user/scans', { name: 'file', fileName: 'a.bin', bytes: bytes() }, user),
    },
    {
      name: "a player's image",
      send: () => sent(`/api/v1/apps/players/${game.players[0]}/profile-image`, image('image'), app, 'PATCH'),
    },
    { name: 'a relocalization photo', send: () => sent('/api/upload/relocalization', image('file'), user) },
    { name: "a point's photo", send: () => sent('/api/upload/gcp-photos', image('files'), user) },
    {
      name: 'an announced file',
      async send() {
        const body = { fileName: 'a.bin', contentType: 'application/octet-stream', fileSize: 100_000 }
        const { uploadUrl } = (await expectStatus(client.send({ method: 'POST', path: '/api/upload/presigned', body })))
          .body
        const headers = { 'content-type': 'application/octet-stream' }
        return client.send({ method: 'PUT', path: uploadUrl, headers, body: bytes() })
      },
    },
    {
      name: 'a resumable file',
      send: () =>
        client.send({
          method: 'POST',
          path: '/api/upload/tus',
          headers: {
            'tus-resumable': '1.0.0',
            'upload-length': '100000',
            'content-type': 'application/offset+octet-stream',
          },
          body: bytes(),
        }),
    },
  ]
}

type Headers = Record<string, string>
type Part = { name?: string; fileName: string; bytes: Uint8Array }

/** Builds a multipart form with one file: body and headers. */
export function form({ name = 'file', fileName, bytes }: Part, headers: Headers = {}) {
  const boundary = `faults-${randomBytes(8).toString('hex')}`
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${fileName}"\r\n\r\n`
  return {
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}
