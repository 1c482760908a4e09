import { createHash, type Hash, hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Guards } from '../../credentials/guards.ts'
import { runOutsideRequest } from '../../database/request-context.ts'
import { isRolledBack } from '../../database/write-tracking.ts'
import { conflict, HttpError, invalid } from '../../errors.ts'
import { scheduleEvery } from '../../scheduler.ts'
import { ADDRESS_SCOPE, type IdempotencyStore, type KnownRequest, type StoredAnswer } from './idempotency-store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The answer holds a secret, which is never stored, or is for one session of a user alone: an Idempotency-Key is passed over. */
    holdsSecret?: boolean
  }
}

/** A request that holds its key: it is carried out, and its answer stored. */
type Claim = {
  scope: string
  key: string
  request: Buffer | null
  content: FormContent | undefined
  error?: unknown
}
type Repeat = { known: KnownRequest; content: FormContent }

const claims = new WeakMap<FastifyRequest, Claim>()
const repeats = new WeakMap<FastifyRequest, Repeat>()

const CLEAN_MS = 10 * 60_000
/** What failed because its connection had just been ended works on another one. */
const AGAIN_AFTER_MS = 100
const KEPT_HEADERS = ['content-type', 'location']

/** Makes POST and PATCH safe to send again: with an `Idempotency-Key` a repeat gets the first answer and does nothing. Keys are kept for 24 hours, apart for each credential (for each address without one).
 * A repeat that asks something else, and one while the first is under way, is 409; so is one whose first came to an end nobody knows. */
export function registerIdempotency(
  app: FastifyInstance,
  { store, guards }: { store: IdempotencyStore; guards: Guards },
) {
  app.addHook('preHandler', (request, reply, done) => {
    const key = keyOf(request)
    if (key === undefined) return done()
    // A repeat that is answered goes no further.
    claimOrAnswer(request, reply, key).then((isAnswered) => isAnswered || done(), done)
  })

  /** @returns whether the stored answer was sent */
  async function claimOrAnswer(request: FastifyRequest, reply: FastifyReply, key: string): Promise<boolean> {
    const scope = scopeOf(request, guards)
    const content = isForm(request) ? new FormContent() : undefined
    const asked = content ? null : digest(request, JSON.stringify(request.body ?? null))
    for (;;) {
      if (await store.claim(scope, key, asked)) {
        claims.set(request, { scope, key, request: asked, content })
        request.databaseContext.tracksWrites = true
        return false
      }
      const known = await store.get(scope, key)
      if (!known) continue // released in between
      refuseUnanswered(known)
      if (content) {
        repeats.set(request, { known, content })
        return false
      }
      sendKnown(reply, known, asked!)
      return true
    }
  }

  app.addHook('onError', async (request, _reply, error) => {
    const claim = claims.get(request)
    if (claim) claim.error = error
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const claim = claims.get(request)
    if (!claim) return done(null, payload)
    claims.delete(request)
    // The answer goes out whatever happens here: what was asked has been done.
    const settle = settling(store, request, claim, answerOf(reply, payload))
    runOutsideRequest(settle)
      .catch(() => sleep(AGAIN_AFTER_MS).then(() => runOutsideRequest(settle)))
      .catch((error: Error) => request.log.error({ err: error }, 'an answer could not be kept for its Idempotency-Key'))
      .then(() => done(null, payload), done)
  })

  scheduleEvery(app, {
    everyMs: CLEAN_MS,
    work: store.deleteOld,
    onError: (error) => app.log.error({ err: error }, 'old Idempotency-Keys were not deleted'),
  })
}

/** The content of a form, as far as it was read: what tells one upload from another. */
export class FormContent {
  #files: FileContent[] = []
  #texts: string[][] = []

  addText(field: string, value: string) {
    this.#texts.push([field, value])
  }

  addFile(field: string, fileName: string | undefined): FileContent {
    const file = new FileContent(field, fileName)
    this.#files.push(file)
    return file
  }

  digest(): string {
    // Texts have no order: what a form says does not depend on where in it.
    return JSON.stringify([this.#files.map((file) => file.digest()), this.#texts.toSorted()])
  }
}

export class FileContent {
  readonly #name: string[]
  readonly #bytes: Hash = createHash('sha256')

  constructor(field: string, fileName: string | undefined) {
    this.#name = [field, fileName ?? '']
  }

  add(chunk: Uint8Array) {
    this.#bytes.update(chunk)
  }

  digest(): string[] {
    return [...this.#name, this.#bytes.digest('hex')]
  }
}

/** Where the content of a form is noted while it is read, when its request has an Idempotency-Key. */
export const formContent = (request: FastifyRequest): FormContent | undefined =>
  (claims.get(request) ?? repeats.get(request))?.content

/** For routes that take forms: a repeat is read to its end, and then answered as the first was. */
export async function replayForm(request: FastifyRequest, reply: FastifyReply, read: () => Promise<void>) {
  const repeat = repeats.get(request)
  if (!repeat) return
  await read()
  return sendKnown(reply, repeat.known, digest(request, repeat.content.digest()))
}

/** Which operations take an Idempotency-Key. */
export const acceptsIdempotencyKey = (method: string | string[], config: FastifyContextConfig | undefined): boolean =>
  ['POST', 'PATCH'].includes(String(method)) && !config?.holdsSecret

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key']
  // Where there is no operation there is nothing to repeat, and nothing to keep.
  if (key === undefined || !acceptsIdempotencyKey(request.method, request.routeOptions.config) || request.is404)
    return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) {
    const message = 'must be 1 to 255 visible ASCII characters, such as a UUID'
    throw invalid([{ code: 'invalid_format', message, path: ['Idempotency-Key'] }])
  }
  return key
}

function scopeOf(request: FastifyRequest, guards: Guards): string {
  const [app, user] = [guards.maybeAppOf(request)?.id, guards.maybeUserOf(request)?.id]
  const player = guards.maybePlayerOf(request)?.id
  const caller = [
    ...(app ? [`app:${app}`] : []),
    ...(player ? [`player:${player}`] : []),
    ...(user ? [`user:${user}`] : []),
  ]
  return caller.length > 0 ? caller.join(' ') : `${ADDRESS_SCOPE}${request.ip}`
}

const isForm = (request: FastifyRequest) => /^multipart\/form-data/i.test(request.headers['content-type'] ?? '')

const digest = (request: FastifyRequest, content: string): Buffer =>
  hash('sha256', `${request.method} ${request.url}\n${content}`, 'buffer')

/** @throws 409 */
function refuseUnanswered({ state, isLost }: KnownRequest) {
  if (state === 'unknown' || (state === 'running' && isLost))
    throw conflict('What became of the request with this Idempotency-Key is not known: look before you send it anew')
  if (state === 'running')
    throw conflict('The request with this Idempotency-Key is still being answered: send it again in a moment')
}

/** @throws 409 when the repeat asks something else. */
function sendKnown(reply: FastifyReply, known: KnownRequest, asked: Buffer) {
  if (!known.request?.equals(asked))
    throw conflict('This Idempotency-Key was used with another request: take a new key for a new request')
  return reply
    .code(known.status)
    .headers({ ...known.headers, 'idempotency-replayed': 'true' })
    .send(known.body ?? undefined)
}

function answerOf(reply: FastifyReply, payload: unknown): StoredAnswer {
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : [])),
  )
  return { status: reply.statusCode, headers, body: typeof payload === 'string' && payload !== '' ? payload : null }
}

/** @returns what keeps the answer; or frees the key, when the request certainly changed nothing */
function settling(store: IdempotencyStore, request: FastifyRequest, claim: Claim, answer: StoredAnswer) {
  const { scope, key, content } = claim
  // A form that was refused may not have been read to its end: its content cannot be told.
  if (content && answer.status >= 400 && answer.status < 500) return () => store.release(scope, key)
  if (answer.status >= 500) {
    const isFree = changedNothing(request, claim)
    return () => (isFree ? store.release(scope, key) : store.unknown(scope, key))
  }
  const asked = claim.request ?? digest(request, content!.digest())
  return () => store.answered(scope, key, asked, answer)
}

/** Whether a failed request certainly changed nothing: an error of this service or of the database ended it, before anything was committed. */
const changedNothing = ({ databaseContext }: FastifyRequest, { error }: Claim) =>
  !databaseContext.mayHaveWritten && (error instanceof HttpError || isRolledBack(error))
