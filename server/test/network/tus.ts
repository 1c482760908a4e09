import * as client from 'tus-js-client'
import { Upload, type UploadOptions, type UrlStorage } from 'tus-js-client'
import type { Answer, Service } from '../service.ts'

/** Only in the build for Node, so its types lack it. */
const { FileUrlStorage } = client as unknown as { FileUrlStorage: new (path: string) => UrlStorage }

const TUS = { 'tus-resumable': '1.0.0' }

type Headers = Record<string, string>

/** Single requests of the tus protocol, including invalid ones. */
export function tusOn(service: Pick<Service, 'request'>, credential: Headers = {}) {
  const chunk = (offset: number): Headers => ({
    'content-type': 'application/offset+octet-stream',
    'upload-offset': String(offset),
  })
  const all = { ...TUS, ...credential }
  return {
    begin: (length: number | undefined, headers: Headers = {}, body?: Uint8Array | string): Promise<Answer> =>
      service.request('POST', '/api/upload/tus', body, {
        ...all,
        ...(length === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) }),
        ...headers,
      }),
    patch: (url: string, offset: number, bytes: Uint8Array | string, headers: Headers = {}): Promise<Answer> =>
      service.request('PATCH', url, bytes, { ...all, ...chunk(offset), ...headers }),
    head: (url: string): Promise<Answer> => service.request('HEAD', url, undefined, all),
    state: (url: string): Promise<Answer> => service.request('GET', url, undefined, credential),
    end: (url: string): Promise<Answer> => service.request('DELETE', url, undefined, all),
    chunk: (offset: number) => ({ ...all, ...chunk(offset) }),
  }
}

/** The header Upload-Metadata. */
export const metadata = (values: Record<string, string>) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')

/** An upload by tus-js-client, the common client. `done` resolves at its end. */
export function tusClient(
  service: Pick<Service, 'url'>,
  bytes: Buffer,
  options: UploadOptions & { remember?: string } = {},
) {
  const { remember, ...rest } = options
  const { promise: done, resolve, reject } = Promise.withResolvers<void>()
  const upload = new Upload(bytes as never, {
    endpoint: `${service.url}/api/upload/tus`,
    retryDelays: null,
    ...(remember ? { urlStorage: new FileUrlStorage(remember) } : { storeFingerprintForResuming: false }),
    ...rest,
    onSuccess: () => resolve(),
    onError: reject,
  })
  return { upload, done }
}
