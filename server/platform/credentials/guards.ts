import type { FastifyRequest } from 'fastify'
import type { Actor } from '../database/audit.ts'
import { forbidden, unauthorized } from '../errors.ts'
import { addressBlock } from '../http/address-block.ts'

export type AppCaller = {
  id: string
  name: string
  /** The public id of the key that the request came with. */
  keyId: string
}
export type UserCaller = {
  id: string
  sessionId: string
  roles: string[]
  /** The session came from a six-digit code: no roles, and no codes, no deletion of the user, no app keys through it. */
  limited: boolean
}

/** Who writes: a user, or, where writes are open to all, whoever calls. */
export type Writer = { id: string | null; roles: string[] }

/** Whoever calls without a session where writes are open: a closed network, in which all may do what ops may. */
const ANYBODY: Writer = { id: null, roles: ['ops'] }

/** An anonymous sender is known by its address. */
export type Sender = { kind: 'user' | 'app' | 'anonymous'; id: string }

type Parts = {
  /** Whether GCPs and photos may be written without a session (CAIRN_OPEN_WRITES). */
  openWrites: boolean
  /** The app of a key, or undefined. */
  findApp: (key: string) => Promise<AppCaller | undefined>
  /** The user of a session token. @throws 401. */
  findUser: (token: string) => Promise<UserCaller>
  /** What to answer a request whose credential was refused: tries are counted. */
  refused: (request: FastifyRequest, refusal: unknown) => Promise<unknown>
}

export type Guards = ReturnType<typeof createGuards>

/** Who is calling. Guards are `onRequest` hooks, so credentials are checked before bodies and parameters are even read. */
export function createGuards({ openWrites, findApp, findUser, refused }: Parts) {
  const apps = new WeakMap<object, AppCaller>()
  const users = new WeakMap<object, UserCaller>()

  const readUser = async (request: FastifyRequest) => {
    const token = bearerOf(request)
    if (token) users.set(request, await findUser(token))
    return token !== undefined
  }

  const readApp = async (request: FastifyRequest) => {
    const key = request.headers['x-app-api-key']
    if (key === undefined || key === '') return false
    const app = await findApp(String(key))
    if (!app) throw unauthorized('This app API key is not valid: check for a typo, or whether it was rotated')
    apps.set(request, app)
    return true
  }

  const counted = (guard: (request: FastifyRequest) => Promise<void>) => async (request: FastifyRequest) => {
    try {
      await guard(request)
    } catch (error) {
      throw await refused(request, error)
    }
  }

  /** Needs a valid session token, else 401. */
  const user = counted(async (request) => {
    if (!(await readUser(request)))
      throw unauthorized('Send a session token in the header Authorization: Bearer <token>')
  })
  /** Takes a session token if there is one; a bad one is 401 all the same. */
  const optionalUser = counted(async (request) => {
    await readUser(request)
  })

  return {
    user,
    optionalUser,
    openWrites,
    /** Needs a valid session token, unless writes are open. */
    writer: openWrites ? optionalUser : user,
    writerOf: (request: object): Writer => users.get(request) ?? ANYBODY,
    /** For a route with a rule of its own: whoever it refuses is counted as all are. */
    counted,
    /** Needs a valid `x-app-api-key`, else 401. */
    app: counted(async (request) => {
      if (!(await readApp(request))) throw unauthorized('Send your app API key in the header x-app-api-key')
    }),
    /** Takes a session token, an app key, or both, if there are any; a bad one is 401 all the same. */
    optionalCaller: counted(async (request) => {
      await readUser(request)
      await readApp(request)
    }),
    appOf: (request: object): AppCaller => apps.get(request)!,
    userOf: (request: object): UserCaller => users.get(request)!,
    /** Whom to count what comes in against: the user, else the app, else the address. */
    senderOf(request: FastifyRequest): Sender {
      const [user, app] = [users.get(request), apps.get(request)]
      if (user) return { kind: 'user', id: user.id }
      return app ? { kind: 'app', id: app.id } : { kind: 'anonymous', id: addressBlock(request.ip) }
    },
    maybeAppOf: (request: object): AppCaller | undefined => apps.get(request),
    maybeUserOf: (request: object): UserCaller | undefined => users.get(request),
  }
}

/** @returns the token of `Authorization: Bearer …` (RFC 6750), or undefined when there is no such header. */
export function bearerOf(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header === undefined) return undefined
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(header) ?? []
  if (!token) throw unauthorized('The header Authorization must read "Bearer <token>"')
  return token
}

/** @throws 403 for a session that came from a six-digit code: whoever holds such a device must not take the user over. */
export function mustBeFull(user: UserCaller) {
  if (user.limited) throw forbidden('A session from a six-digit code cannot do this: sign in at your identity provider')
}

/** Who acts, for the audit log. */
export const actorIn = (user: UserCaller, request: FastifyRequest): Actor => ({ actor: user.id, address: request.ip })

export const isAdmin = (user: Writer) => user.roles.includes('admin')
export const hasOpsAccess = (user: Writer) => isAdmin(user) || user.roles.includes('ops')

/** @throws 403 */
export function mustHaveOps(user: UserCaller) {
  if (!hasOpsAccess(user)) throw forbidden('This is for ops and admins')
}

/** @throws 403 */
export function mustBeAdmin(user: UserCaller) {
  if (!isAdmin(user)) throw forbidden('This is for admins')
}

/** What a user made, that user and ops may change; what has no owner is ops'. @throws 403 */
export function mayChange(user: Writer, ownerIds: (string | null)[], what: string) {
  if (!hasOpsAccess(user) && !(user.id !== null && ownerIds.includes(user.id)))
    throw forbidden(`This ${what} belongs to somebody else`)
}

/** Who acts: a `userId` in a write names the actor, and is honoured for the caller itself and for ops. @throws 403 */
export function actorOf<Id extends string | null>(
  user: { id: Id; roles: string[] },
  userId: string | undefined,
): Id | string {
  if (userId !== undefined && userId !== user.id && !hasOpsAccess(user))
    throw forbidden('userId names somebody else: leave it out')
  return userId ?? user.id
}
