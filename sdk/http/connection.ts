import { CairnError, errorOf } from './error.ts'
import { type Page, Pages } from './pagination.ts'
import { attempt, type RetryPlan, usualPlan } from './retry.ts'

export type Session = string | (() => string | null | undefined | Promise<string | null | undefined>)

export type ConnectionOptions = {
  /** Where the service is, such as `https://cairn.example`. */
  baseUrl: string
  /** An app's API key: for games, and servers of games. */
  appKey?: string
  /** A user's session token, or what gives the present one; see `keepSession`. */
  session?: Session
  /** Instead of the platform's own. */
  fetch?: typeof fetch
  /** Milliseconds that one try may take; default 30,000, and for uploads as long as they need. */
  timeout?: number
  retry?: Partial<RetryPlan>
}

/** What every call takes as its last argument. */
export type CallOptions = {
  signal?: AbortSignal
  /** Milliseconds that one try may take. */
  timeout?: number
  /** For a repeat of your own, across a restart of your program: the same key, the same answer. Each call has a fresh one otherwise. */
  idempotencyKey?: string
  /** The request outlives the page that sends it, as one sent while the page is left must. */
  keepalive?: boolean
}

/** An operation of the service as generated/ describes it. */
type Operation = { url: string; body?: unknown; path?: unknown; query?: unknown; headers?: unknown }
/** What an operation is given beside its address. */
export type Inputs<Data extends Operation> = Omit<Data, 'url' | 'headers' | 'body'> &
  (undefined extends Data['body'] ? { body?: Data['body'] } : { body: Data['body'] | FormData })
/** The address of an operation that takes an Idempotency-Key, and so may be sent again. */
type RepeatableUrl<Data extends Operation> = Data extends { headers?: infer Headers }
  ? 'idempotency-key' extends keyof NonNullable<Headers>
    ? Data['url']
    : never
  : never

/** One request, as all areas send theirs. */
export type Sending = {
  method: string
  /** An address of the service, `{name}` standing for members of `path`; or a whole one. */
  url: string
  path?: unknown
  query?: unknown
  body?: unknown
  headers?: Record<string, string>
  /** Whether it can be sent again without harm. */
  repeatable: boolean
  /** Sends neither app key nor session. */
  anonymous?: boolean
  keepalive?: boolean
}

export type Connection = ReturnType<typeof connect>

/** A way to the service: sends requests with their credentials, again where that is safe, and tells of failures as `CairnError`. The areas (`players(connection)`, `files(connection)`, …) are built on it. */
export function connect(options: ConnectionOptions) {
  const base = options.baseUrl.replace(/\/+$/, '')
  const plan = { ...usualPlan, ...options.retry }
  const reach = options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request))

  const addressOf = ({ url, path, query }: Pick<Sending, 'url' | 'path' | 'query'>): string => {
    const filled = url.replace(/\{(\w+)\}/g, (_, name) => idInPath((path as Names)[name]))
    const pairs = Object.entries((query ?? {}) as Names).filter(([, value]) => value !== undefined && value !== null)
    const search = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString()
    return (filled.startsWith('/') ? base + filled : filled) + (search && `?${search}`)
  }

  async function credentials(): Promise<Record<string, string>> {
    const session = typeof options.session === 'function' ? await options.session() : options.session
    return {
      ...(options.appKey ? { 'x-app-api-key': options.appKey } : {}),
      ...(session ? { authorization: `Bearer ${session}` } : {}),
    }
  }

  /** One try: the answer as it arrives, whatever its status. @throws CairnError with status 0 when none comes */
  async function open(sending: Sending, signal?: AbortSignal): Promise<Response> {
    const { method, body } = sending
    const address = addressOf(sending)
    const isOurs = address.startsWith(`${base}/`) && !sending.anonymous
    const isRaw = body instanceof FormData || body instanceof Blob
    const headers = {
      ...(isOurs ? await credentials() : {}),
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...sending.headers,
    }
    const content = body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }
    const lasting = sending.keepalive ? { keepalive: true } : {}
    try {
      return await reach(address, { method, headers, ...content, ...lasting, ...(signal ? { signal } : {}) })
    } catch (cause) {
      throw unanswered(address, cause, signal)
    }
  }

  /** Sends until it is answered, and reads the answer. */
  async function send<Answer>(
    sending: Sending,
    { signal, timeout = options.timeout ?? 30_000, idempotencyKey, keepalive = false }: CallOptions,
    read: (response: Response) => Promise<Answer>,
  ): Promise<Answer> {
    const key =
      idempotencyKey ?? (sending.repeatable && /^(POST|PATCH)$/.test(sending.method) ? randomKey() : undefined)
    const headers = { ...sending.headers, ...(key ? { 'idempotency-key': key } : {}) }
    const once = async (number: number) => {
      const limit = Number.isFinite(timeout) ? [AbortSignal.timeout(timeout)] : []
      const both = AbortSignal.any([...(signal ? [signal] : []), ...limit])
      const response = await open({ ...sending, headers, keepalive }, both)
      try {
        // Gone already: that was the try before, whose answer was lost.
        const isGone = sending.method === 'DELETE' && number > 1 && response.status === 404
        if (isGone) return await read(new Response(null))
        if (!response.ok) throw errorOf(response, await response.text())
        return await read(response)
      } catch (cause) {
        throw cause instanceof CairnError ? cause : unanswered(addressOf(sending), cause, both)
      }
    }
    return attempt(once, sending.repeatable ? plan : { ...plan, attempts: 1 }, signal)
  }

  const json = <Answer>(sending: Sending, call: CallOptions = {}) => send(sending, call, readJson<Answer>)
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
    put: <Data extends Operation, Answer>(url: Data['url'], inputs: Inputs<Data>, call?: CallOptions) =>
      withBody('PUT', true)<Answer>(url, inputs, call),
    delete: <Data extends Operation, Answer = void>(url: Data['url'], inputs: Inputs<Data>, call?: CallOptions) =>
      withBody('DELETE', true)<Answer>(url, inputs, call),
    post: <Data extends Operation, Answer>(url: RepeatableUrl<Data>, inputs: Inputs<Data>, call?: CallOptions) =>
      withBody('POST', true)<Answer>(url, inputs, call),
    patch: <Data extends Operation, Answer>(url: RepeatableUrl<Data>, inputs: Inputs<Data>, call?: CallOptions) =>
      withBody('PATCH', true)<Answer>(url, inputs, call),
    /** For what takes no Idempotency-Key: it is sent a single time. */
    postOnce: <Data extends Operation, Answer>(url: Data['url'], inputs: Inputs<Data>, call?: CallOptions) =>
      withBody('POST', false)<Answer>(url, inputs, call),
    patchOnce: <Data extends Operation, Answer>(url: Data['url'], inputs: Inputs<Data>, call?: CallOptions) =>
      withBody('PATCH', false)<Answer>(url, inputs, call),
    /** What an operation answers as a file. */
    blob: <Data extends Operation>(url: Data['url'], inputs: Inputs<Data>, call: CallOptions = {}): Promise<Blob> =>
      send({ method: 'GET', url, repeatable: true, ...inputs }, call, (response) => response.blob()),
    /** A list in pages, each of which says in its `Link` header where the next is. */
    list: <Data extends Operation, Answer, Item>(
      url: Data['url'],
      inputs: Inputs<Data>,
      itemsOf: (answer: Answer) => Item[],
      call: CallOptions = {},
    ): Pages<Item> =>
      new Pages((cursor) => {
        const query = { ...(inputs.query as object), ...(cursor ? { cursor } : {}) }
        const sending = { method: 'GET', url, repeatable: true, ...inputs, query }
        return send(sending, call, async (response) => pageOf(response, itemsOf(await readJson<Answer>(response))))
      }),
  }
}

type Names = Record<string, unknown>

/** @throws CairnError 404 for what would not be a part of a path, but lead to another operation: `..` cannot be written otherwise */
function idInPath(id: unknown): string {
  if (/^\.{0,2}$/.test(String(id))) throw new CairnError(404, `There is nothing with the id "${id}"`)
  return encodeURIComponent(String(id))
}

async function readJson<Answer>(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return (text === '' ? undefined : isJson ? JSON.parse(text) : text) as Answer
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

/** @returns what to throw for a request without an answer: the caller's own reason when the caller ended it */
function unanswered(address: string, cause: unknown, signal?: AbortSignal): unknown {
  const isTooLate = signal?.aborted && (signal.reason as Error)?.name === 'TimeoutError'
  if (signal?.aborted && !isTooLate) return signal.reason
  const { origin } = new URL(address, 'http://this-page')
  return new CairnError(0, isTooLate ? `No answer from ${origin} in time` : `No answer from ${origin}`, { cause })
}

/** 128 bits of chance. Not `randomUUID`, which browsers keep from pages without https. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
