import { jsonOf } from './hostile-values.ts'
import type { Operation } from './operations.ts'

export type Body = { json: unknown } | { bytes: Buffer; type: string }

/** A request under construction, in parts, so that each can be mutated. */
export type Draft = {
  operation: Operation
  method: string
  /** The path segments as sent, without the first slash. */
  segments: string[]
  /** Names and values as sent. */
  query: [name: string, value: string][]
  headers: Record<string, string>
  body?: Body
  /** The applied mutations. */
  changes: string[]
  /** Whether it may reach another operation, or none. */
  isElsewhere: boolean
  /** Why it must be refused in any case, and the status if known. */
  refusal?: { why: string; status?: number }
}

/** The bytes that are sent. */
export type Sent = { method: string; path: string; headers: Record<string, string>; body?: Buffer }

/** The positions of a template's parameters among its segments. */
export const parametersIn = ({ template }: Operation): { name: string; at: number }[] =>
  template
    .slice(1)
    .split('/')
    .flatMap((segment, at) => (segment.startsWith('{') ? [{ name: segment.slice(1, -1), at }] : []))

export function sentOf({ method, segments, query, headers, body }: Draft): Sent {
  const search = query.map(([name, value]) => `${name}=${value}`).join('&')
  const path = `/${segments.join('/')}${search && `?${search}`}`
  if (!body) return { method, path, headers }
  const [bytes, type] = 'json' in body ? [Buffer.from(jsonOf(body.json)), 'application/json'] : [body.bytes, body.type]
  return { method, path, headers: { 'content-type': type, ...headers }, body: bytes }
}

const BOUNDARY = 'boundary-of-the-attack'

type Part = { field: string; name?: string; type?: string; bytes: Uint8Array | string }

/** A form of these parts; one without a file name is a text. */
export function formBody(parts: Part[]): Body {
  const pieces = parts.flatMap(({ field, name, type, bytes }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"${name === undefined ? '' : `; filename="${name}"`}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`,
    ),
    Buffer.from(bytes as Uint8Array),
    Buffer.from('\r\n'),
  ])
  const bytes = Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)])
  return { bytes, type: `multipart/form-data; boundary=${BOUNDARY}` }
}

/** The body as a test would send it with fetch. */
export async function bodyOf(body: unknown): Promise<Body | undefined> {
  if (body === undefined) return undefined
  if (body instanceof FormData) {
    const response = new Response(body)
    const type = response.headers.get('content-type')!
    return { type, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  if (typeof body === 'string' || body instanceof Uint8Array)
    return { type: 'application/octet-stream', bytes: Buffer.from(body as string) }
  return { json: body }
}

/** A command that repeats the request. */
export function curlOf(url: string, { method, path, headers, body }: Sent): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const isPlain = body && body.length < 4000 && /^[\x20-\x7e]*$/.test(body.toString('latin1'))
  return [
    `curl -sS --globoff --path-as-is -X ${method} ${quoted(url + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body && isPlain ? [`--data-binary ${quoted(body.toString('latin1'))}`] : []),
  ]
    .concat(body && !isPlain ? [`# with a body of ${body.length} bytes: ${body.toString('base64').slice(0, 400)}`] : [])
    .join(' ')
}
