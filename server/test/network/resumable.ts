import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildersOn } from '../builders.ts'
import { startService } from '../service.ts'
import { sqlOn } from '../sql.ts'
import { metadata, tusOn } from './tus.ts'

/** Maximum bytes without and with a credential. */
export const ANONYMOUS = 1_000_000
export const KNOWN = 4_000_000

const PUBLIC = 'http://cairn.example'

/** A service that accepts small uploads, with a public URL different from the one that tests use. */
export async function startResumable() {
  const service = await startService({
    CAIRN_UPLOAD_MAX_BYTES: String(ANONYMOUS),
    CAIRN_RESUMABLE_MAX_BYTES: String(KNOWN),
    CAIRN_PUBLIC_URL: PUBLIC,
  })
  const tus = tusOn(service)
  const here = (address: string) => address.replace(PUBLIC, service.url)
  const folder = join(service.folder, 'resumable')

  return {
    service,
    tus,
    given: buildersOn(service),
    sql: sqlOn(service),
    /** Maps a URL of a response to one that the test can reach. */
    here,
    folder,
    /** The uploads with received bytes. */
    spooled: () => readdir(folder).catch(() => []),

    /** A created upload. */
    async begun(length: number | undefined, { by = tus, name = 'file.bin' } = {}) {
      const { status, headers, body } = await by.begin(length, { 'upload-metadata': metadata({ filename: name }) })
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
      const location = headers.get('location')!
      return { url: here(location), location, id: location.split('/').at(-1)! }
    },

    /** Sends the missing bytes. A request with a waiting successor has a second; what arrived by then is kept. */
    async goOn(url: string, bytes: Uint8Array) {
      const offset = Number((await tus.head(url)).headers.get('upload-offset'))
      if (offset < bytes.length) await tus.patch(url, offset, bytes.subarray(offset))
    },
  }
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
