import type { AppRole } from './app-roles.ts'
import type { KeyKind } from './key-kinds.ts'
import type { TokenScope } from './personal-tokens.ts'

export type AppCaller = {
  id: string
  name: string
  /** The public ID of the key in the request. */
  keyId: string
  kind: KeyKind
  /** What its requests a minute count against: an additional key itself; the app, for its current and replaced keys. */
  countedAs: string
}
/** The player whose token is beside an app key. */
export type PlayerCaller = {
  id: string
  /** Its scores are shown to itself alone. */
  isHidden: boolean
}
/** Who reads scores: a server key sees all of them, a hidden player its own. */
export type Viewer = { seesAll: boolean; hiddenPlayer: string | undefined }
export type UserCaller = {
  id: string
  sessionId: string
  roles: string[]
  /** Not a session of a sign-in, but of a six-digit code or a personal token: no roles, codes, app keys, or deletion of the user. */
  limited: boolean
  /** That of the personal token in the request; absent for a session. */
  scope?: TokenScope
}

/** Those that the credentials of a request name. */
export type Callers = {
  app: AppCaller | undefined
  user: UserCaller | undefined
  player: PlayerCaller | undefined
}

/** A user, and the least role that the operation needs in its app. */
export type AppUser = UserCaller & { needs: AppRole }

/** Who writes: a user or, with open writes, any caller. */
export type Writer = { id: string | null; roles: string[] }

/** An anonymous sender is identified by its address. */
export type Sender = { kind: 'user' | 'app' | 'anonymous'; id: string }
