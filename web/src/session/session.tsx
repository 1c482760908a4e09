import { type Cairn, createCairn, keepSession } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { createReach, RETRY, type Reach, watchedFetch } from './connectivity.ts'
import { loadSettings } from './console-settings.ts'

/** Shared by the tabs of this browser, and gone with a sign-out in any of them. */
const KEPT_AS = 'cairn-session'

export type SignedIn = {
  cairn: Cairn
  userId: string
  /** As the token says; what counts is what the service knows. */
  roles: string[]
  signOut: () => Promise<void>
}

type Session = {
  signedIn: SignedIn | null
  /** The service took the session no more while somebody was at work. */
  hasEnded: boolean
  reach: Reach
  /** Begins with a session token. */
  begin: (token: string) => void
}

const SessionContext = createContext<Session | null>(null)

/** Who is signed in, for all pages. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [token, setToken] = useState(() => goodToken(localStorage.getItem(KEPT_AS)))
  const [hasEnded, setHasEnded] = useState(false)
  const queries = useQueryClient()
  const [reach] = useState(() => createReach(() => void queries.invalidateQueries()))
  useEffect(() => reach.end, [reach])
  /** The session whose end counts: what a former one is still told is of no interest. */
  const live = useRef<string>(null)
  const person = useRef<string>(null)

  const begin = useCallback(
    (fresh: string) => {
      localStorage.setItem(KEPT_AS, fresh)
      const { sub } = claimsOf(fresh)
      // What one person was shown is not for the next.
      if (person.current !== null && person.current !== sub) return location.reload()
      setHasEnded(false)
      setToken(fresh)
      // What failed for want of a session is asked for again.
      void queries.invalidateQueries()
    },
    [queries],
  )

  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key !== KEPT_AS) return
      if (event.newValue === null) setHasEnded(true)
      else begin(event.newValue)
    }
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [begin])

  const signedIn = useMemo<SignedIn | null>(() => {
    if (!token) return null
    const { sub, roles } = claimsOf(token)
    live.current = token
    person.current = sub
    let current = token
    const end = () => {
      if (live.current !== token) return
      const kept = localStorage.getItem(KEPT_AS)
      // Another tab has signed in anew, and this one is just about to hear of it.
      if (kept !== null && kept !== current) return begin(kept)
      localStorage.removeItem(KEPT_AS)
      setHasEnded(true)
    }
    const session = keepSession({
      baseUrl: location.origin,
      token,
      onRenewed: (renewed) => {
        current = renewed
        localStorage.setItem(KEPT_AS, renewed)
      },
      onEnded: end,
    })
    // Signed out elsewhere, or by an admin: the next answer tells.
    const ask = watchedFetch(reach)
    const watched: typeof fetch = async (...request) => {
      const response = await ask(...request)
      if (response.status === 401) end()
      return response
    }
    const cairn = createCairn({ baseUrl: location.origin, session, fetch: watched, retry: RETRY })
    const signOut = async () => {
      // It ends here whether or not the service and the issuer could be told.
      await cairn.auth.signOut().catch(() => {})
      localStorage.removeItem(KEPT_AS)
      live.current = null
      const atIssuer = await signOutAtIssuer().catch(() => undefined)
      if (atIssuer) return location.assign(atIssuer)
      setToken(null)
    }
    return { cairn, userId: sub, roles: roles ?? [], signOut }
  }, [token, begin, reach])

  const session = useMemo(() => ({ signedIn, hasEnded, reach, begin }), [signedIn, hasEnded, reach, begin])
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Where the browser's session at the issuer is ended: who signs in next, at this same browser, proves who they are. */
async function signOutAtIssuer(): Promise<URL | undefined> {
  const [{ signIn }, { endAtIssuer }] = await Promise.all([loadSettings(), import('./oidc.ts')])
  return signIn ? endAtIssuer(signIn) : undefined
}

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession outside of SessionProvider')
  return session
}

/** The person who is signed in. Pages inside of the shell have one. */
export function useSignedIn(): SignedIn {
  const { signedIn } = useSession()
  if (!signedIn) throw new Error('nobody is signed in')
  return signedIn
}

/** The service, as the person who is signed in. */
export const useCairn = (): Cairn => useSignedIn().cairn

/** Whether the person may see what belongs to the whole box. */
export function useRoles() {
  const { roles } = useSignedIn()
  const isAdmin = roles.includes('admin')
  return { isAdmin, isOps: isAdmin || roles.includes('ops') }
}

type Claims = { sub: string; exp: number; roles?: string[] }

function claimsOf(token: string): Claims {
  const claims = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(claims), (c) => c.charCodeAt(0)))) as Claims
}

/** The token, while it has some life left. */
function goodToken(token: string | null): string | null {
  if (!token) return null
  try {
    return claimsOf(token).exp * 1000 > Date.now() ? token : null
  } catch {
    return null
  }
}
