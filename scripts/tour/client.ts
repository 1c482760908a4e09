import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'

/** A caller of the service: JSON in, JSON out; a rejected request throws the service's message. */
export function caller(url: string, headers: Record<string, string>) {
  const send = async (method: string, path: string, body?: FormData | object) => {
    const form = body instanceof FormData
    const response = await fetch(path.startsWith('http') ? path : url + path, {
      method,
      headers: { ...headers, ...(body && !form ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: form ? body : JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
  // biome-ignore lint/suspicious/noExplicitAny: the tour reads a few members of answers that openapi.json describes.
  const json = async (method: string, path: string, body?: FormData | object): Promise<any> =>
    (await send(method, path, body)).json()
  return {
    get: (path: string) => json('GET', path),
    post: (path: string, body: FormData | object) => json('POST', path, body),
    patch: (path: string, body: object) => json('PATCH', path, body),
    bytes: async (path: string) => new Uint8Array(await (await send('GET', path)).arrayBuffer()),
  }
}

/** Builds a multipart form with one file. */
export async function formWith(path: string, type: string): Promise<FormData> {
  const form = new FormData()
  form.append('file', await openAsBlob(path, { type }), basename(path))
  return form
}
