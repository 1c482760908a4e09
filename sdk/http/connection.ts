import { CairnError, errorOf } from './error.ts'
import { type Page, Pages } from './pagination.ts'
import { attempt, defaultRetryPlan, type RetryPlan } from './retry.ts'

export type Session = string | (() => string | null | undefined | Promise<string | null | undefined>)

export type ConnectionOptions = {
  /** The URL of the service, such as `https://cairn.example`. */
  baseUrl: string
  /** An app's API key, for games and game servers. */
  appKey?: string
  /** The app that a member acts in with `session`, instead of an `appKey`. */
  appId?: string
  /** A user's session token, or a function that returns the current one. See `keepSession`. */
  session?: Session
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch
  /** Timeout of one attempt in milliseconds. Defaults to 30,000; uploads have none. */
  timeout?: number
  retry?: Partial<RetryPlan>
}

/** The last argument of every call. */
export type CallOptions = {
  signal?: AbortSignal
  /** Timeout of one attempt in milliseconds. */
  timeout?: number
  /** Use your own key to repeat a call safely, for example after a restart. By default each call gets a new key. */
  idempotencyKey?: string
  /** Lets the request outlive the page that sends it. */
  keepalive?: boolean
}

/** An operation as described by generated/. */
type Operation = { url: string; body?: unknown; path?: unknown; query?: unknown; headers?: unknown }
/** The inputs of an operation. */
export type Inputs<Data extends Operation> = Omit<Data, 'url' | 'headers' | 'body'> & {
  headers?: Record<string, string>
} & (undefined extends Data['body'] ? { body?: Data['body'] } : { body: Data['body'] | FormData })
/** A document, and the ETag that a conditional write names. */
export type Tagged<Value> = { value: Value; etag: string }
/** The URL of an operation that accepts an Idempotency-Key and can be retried. */
type RepeatableUrl<Data extends Operation> = Data extends { headers?: infer Headers }
  ? 'idempotency-key' extends keyof NonNullable<Headers>
    ? Data['url']
    : never
  : never

/** One request. */
export type OutgoingRequest = {
  method: string
  /** A path of the service with `{name}` placeholders for members of `path`, or an absolute URL. */
  url: string
  path?: unknown
  query?: unknown
  body?: unknown
  headers?: Record<string, string>
  /** Whether the request can be retried safely. */
  repeatable: boolean
  /** Sends neither app key nor session. */
  anonymous?: boolean
  keepalive?: boolean
}

export type Connection = ReturnType<typeof connect>

/** A connection to the service. It adds credentials, retries where that is safe, and throws failures as `CairnError`. Resources (`players(connection)`, `files(connection)`, …) are built on it. */
export function connect(options: ConnectionOptions) {
  const base = options.baseUrl.replace(/\/+$/, '')
  const plan = { ...defaultRetryPlan, ...options.retry }
  const fetchFn = options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request))

  const addressOf = ({ url, path, query }: Pick<OutgoingRequest, 'url' | 'path' | 'query'>): string => {
    const filled = url.replace(/\{(\w+)\}/g, (_, name) => idInPath((path as Names)[name]))
    const pairs = Object.entries((query ?? {}) as Names).filter(([, value]) => value !== undefined && value !== null)
    const search = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString()
    return (filled.startsWith('/') ? base + filled : filled) + (search && `?${search}`)
  }

  async function credentials(): Promise<Record<string, string>> {
    const session = typeof options.session === 'function' ? await options.session() : options.session
    return {
      ...(options.appKey ? { 'x-app-api-key': options.appKey } : {}),
      ...(options.appId ? { 'x-app-id': options.appId } : {}),
      ...(session ? { authorization: `Bearer ${session}` } : {}),
    }
  }

  /** Sends one request and returns the response, of any status. @throws CairnError with status 0 if there is no response */
  async function open(request: OutgoingRequest, signal?: AbortSignal): Promise<Response> {
    const { method, body } = request
    const address = addressOf(request)
    const isOurs = address.startsWith(`${base}/`) && !request.anonymous
    const isRaw = body instanceof FormData || body instanceof Blob
    const headers = {
      ...(isOurs ? await credentials() : {}),
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    }
    const content = body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }
    const lasting = request.keepalive ? { keepalive: true } : {}
    try {
      return await fetchFn(address, { method, headers, ...content, ...lasting, ...(signal ? { signal } : {}) })
    } catch (cause) {
      throw unanswered(address, cause, signal)
    }
  }

  /** Sends a request with retries and reads the response. */
  async function send<Answer>(
    request: OutgoingRequest,
    { signal, timeout = options.timeout ?? 30_000, idempotencyKey, keepalive = false }: CallOptions,
    read: (response: Response) => Promise<Answer>,
  ): Promise<Answer> {
    const key =
      idempotencyKey ?? (request.repeatable && /^(POST|PATCH)$/.test(request.method) ? randomKey() : undefined)
    const headers = { ...request.headers, ...(key ? { 'idempotency-key': key } : {}) }
    const once = async (number: number) => {
      const limit = Number.isFinite(timeout) ? [AbortSignal.timeout(timeout)] : []
      const both = AbortSignal.any([...(signal ? [signal] : []), ...limit])
      const response = await open({ ...request, headers, keepalive }, both)
      try {
        // An earlier attempt deleted it, but its response was lost.
        const isGone = request.method === 'DELETE' && number > 1 && response.status === 404
        if (isGone) return await read(new Response(null))
        if (!response.ok) throw errorOf(response, await response.text())
        return await read(response)
      } catch (cause) {
        throw cause instanceof CairnError ? cause : unanswered(addressOf(request), cause, both)
      }
    }
    return attempt(once, request.repeatable ? plan : { ...plan, attempts: 1 }, signal)
  }

  const json = <Answer>(request: OutgoingRequest, call: CallOptions = {}) => send(request, call, readJson<Answer>)
  const withBody =
    (method: string, repeatable: boolean) =>
    <Answer>(url: string, inputs: object, call?: CallOptions) =>
      json<Answer>({ method, url, repeatable, ...inputs }, call)

  return {
    plan,
    addressOf,
    open,
    send,
    get: <Data extends Operation, Answer>(url: Data['url'], inputs: Inputs<Data>, call?: CallOptions) =>
      json<Answer>({ method: 'GET', url, repeatable: true, ...inputs }, call),
    /** A document with its ETag. */
    tagged: <Data extends Operation, Value>(
      url: Data['url'],
      inputs: Inputs<Data>,
      call: CallOptions = {},
    ): Promise<Tagged<Value>> => send({ method: 'GET', url, repeatable: true, ...inputs }, call, readTagged<Value>),
    /** Replaces a document under a condition. @returns the response with its new ETag */
    putTagged: <Data extends Operation, Answer>(
      url: Data['url'],
      inputs: Inputs<Data>,
      call: CallOptions = {},
    ): Promise<Tagged<Answer>> => send({ method: 'PUT', url, repeatable: false, ...inputs }, call, readTagged<Answer>),
    put: <Data extends Operation, Answer>(url: Data['url'], inputs: Inputs<Data>, call?: CallOptions) =>
      // A conditional write that was carried out would refuse its own repeat.
      withBody('PUT', inputs.headers === undefined)<Answer>(url, inputs, call),
    delete: <Data extends Operation, Answer = void>(url: Data['url'], inputs: Inputs<Data>, call?: CallOptions) =>
      withBody('DELETE', true)<Answer>(url, inputs, call),
    post: <Data extends Operation, Answer>(url: RepeatableUrl<Data>, inputs: Inputs<Data>, call?: CallOptions) =>
      withBody('POST', true)<Answer>(url, inputs, call),
    patch: <Data extends Operation, Answer>(url: RepeatableUrl<Data>, inputs: Inputs<Data>, call?: CallOptions) =>
      withBody('PATCH', true)<Answer>(url, inputs, call),
    /** For operations without an Idempotency-Key, which are never retried. */
    postOnce: <Data extends Operation, Answer>(url: Data['url'], inputs: Inputs<Data>, call?: CallOptions) =>
      withBody('POST', false)<Answer>(url, inputs, call),
    patchOnce: <Data extends Operation, Answer>(url: Data['url'], inputs: Inputs<Data>, call?: CallOptions) =>
      withBody('PATCH', false)<Answer>(url, inputs, call),
    /** The response as a file. */
    blob: <Data extends Operation>(url: Data['url'], inputs: Inputs<Data>, call: CallOptions = {}): Promise<Blob> =>
      send({ method: 'GET', url, repeatable: true, ...inputs }, call, (response) => response.blob()),
    /** A paged list. The `Link` header of each page leads to the next one. */
    list: <Data extends Operation, Answer, Item>(
      url: Data['url'],
      inputs: Inputs<Data>,
      itemsOf: (answer: Answer) => Item[],
      call: CallOptions = {},
    ): Pages<Item> =>
      new Pages((cursor) => {
        const query = { ...(inputs.query as object), ...(cursor ? { cursor } : {}) }
        const request = { method: 'GET', url, repeatable: true, ...inputs, query }
        return send(request, call, async (response) => pageOf(response, itemsOf(await readJson<Answer>(response))))
      }),
  }
}

type Names = Record<string, unknown>

/** @throws CairnError 404 for an empty ID, `.` or `..`, which would change the path */
function idInPath(id: unknown): string {
  if (/^\.{0,2}$/.test(String(id))) throw new CairnError(404, `There is nothing with the id "${id}"`)
  return encodeURIComponent(String(id))
}

async function readJson<Answer>(response: Response): Promise<Answer> {
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  // A network where one signs in first answers every request with its own page.
  if (type.startsWith('text/html')) throw new CairnError(0, 'The answer did not come from the service')
  const isJson = /json/.test(type)
  return (text === '' ? undefined : isJson ? JSON.parse(text) : text) as Answer
}

/** A document with its ETag. */
async function readTagged<Value>(response: Response): Promise<Tagged<Value>> {
  // Compression makes it weak.
  const etag = (response.headers.get('etag') ?? '').replace(/^W\//, '')
  return { value: await readJson<Value>(response), etag }
}

function pageOf<Item>({ headers }: Response, items: Item[]): Page<Item> {
  const [, next] = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? []
  const total = headers.get('x-total-count')
  return {
    items,
    next: next ? new URL(next, 'http://any').searchParams.get('cursor') : null,
    total: total === null ? null : Number(total),
  }
}

/** The error for a request without a response: the abort reason if the caller aborted, otherwise a CairnError. */
function unanswered(address: string, cause: unknown, signal?: AbortSignal): unknown {
  const isTooLate = signal?.aborted && (signal.reason as Error)?.name === 'TimeoutError'
  if (signal?.aborted && !isTooLate) return signal.reason
  const { origin } = new URL(address, 'http://this-page')
  return new CairnError(0, isTooLate ? `No answer from ${origin} in time` : `No answer from ${origin}`, { cause })
}

/** 128 random bits. `randomUUID` is not available on pages without https. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
