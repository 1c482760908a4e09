import { Agent, type IncomingMessage, request } from 'node:http'

// biome-ignore lint/suspicious/noExplicitAny: callers know the response from openapi.json.
export type Answer = { status: number; body: any; headers: IncomingMessage['headers']; ms: number }
/**
 * A request without a response. `code` is the Node.js error code; ECONNREFUSED means the request was never accepted.
 * `at` is when it was sent (performance.now()).
 */
export type Lost = { status: 0; code: string; at: number; ms: number }

export type Call = {
  method: string
  path: string
  headers?: Record<string, string>
  /** An object is sent as JSON. */
  body?: object | Uint8Array | undefined
}

/** The request timeout; a request without a response by then hangs. */
const PATIENCE_MS = 20_000

export type Client = ReturnType<typeof createClient>

/**
 * Sends requests over kept-alive connections and returns their outcome; never throws.
 * @param url returns the base URL, called for each request
 */
export function createClient(url: () => string, { patienceMs = PATIENCE_MS } = {}) {
  const agent = new Agent({ keepAlive: true })
  return {
    url,
    send: (call: Call): Promise<Answer | Lost> => sendOnce(agent, url(), call, patienceMs),
    close: () => agent.destroy(),
  }
}

function sendOnce(agent: Agent, url: string, { method, path, headers, body }: Call, patienceMs: number) {
  const isBytes = body instanceof Uint8Array
  const bytes = body === undefined ? undefined : isBytes ? body : Buffer.from(JSON.stringify(body))
  const start = performance.now()
  const since = () => performance.now() - start
  return new Promise<Answer | Lost>((resolve) => {
    const lost = (code: string) => resolve({ status: 0, code, at: start, ms: since() })
    const sending = request(
      new URL(path, url),
      {
        method,
        agent,
        headers: {
          ...(bytes && { 'content-length': bytes.length }),
          ...(bytes && !isBytes && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('error', (error: NodeJS.ErrnoException) => lost(error.code ?? error.message))
        answer.on('close', () => {
          clearTimeout(timer)
          if (!answer.complete) return lost('CUT_OFF')
          const text = Buffer.concat(pieces).toString()
          const isJson = String(answer.headers['content-type']).includes('json') && text !== ''
          resolve({
            status: answer.statusCode!,
            body: isJson ? JSON.parse(text) : text,
            headers: answer.headers,
            ms: since(),
          })
        })
      },
    )
    const timer = setTimeout(
      () => sending.destroy(Object.assign(new Error('no answer'), { code: 'NO_ANSWER' })),
      patienceMs,
    )
    sending.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      lost(error.code ?? error.message)
    })
    sending.end(bytes)
  })
}

/**
 * Returns a response with one of the given statuses, by default any 2xx.
 * @throws with the actual response otherwise
 */
export async function expectStatus(answer: Promise<Answer | Lost>, ...statuses: number[]): Promise<Answer> {
  const came = await answer
  const isWanted = statuses.length > 0 ? statuses.includes(came.status) : came.status >= 200 && came.status < 300
  if (came.status !== 0 && isWanted) return came as Answer
  const { headers: _headers, ...rest } = came as Answer
  throw new Error(`answered ${JSON.stringify(rest)}`)
}

/** Formats a response or failure for a finding: its status and body, or its error code. */
export const describeOutcome = (outcome: Answer | Lost): string =>
  'code' in outcome ? outcome.code : `${outcome.status} ${JSON.stringify(outcome.body)}`
