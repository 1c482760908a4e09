import { type Cairn, createCairn, keepSession } from '@cairn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react'

import { type Connectivity, createConnectivity, monitoredFetch, RETRY } from './connectivity.ts'
import { loadSettings } from './console-settings.ts'
import { PICTURES_KEY, STORAGE_KEY } from './session-token.ts'

export type SignedIn = {
  cairn: Cairn
  /** The client that acts in an app that the user is a member of. */
  inApp: (appId: string) => Cairn
  userId: string
  /** From the token. The service decides what they allow. */
  roles: string[]
  signOut: () => Promise<void>
}

type Session = {
  signedIn: SignedIn | null
  /** The service rejected the session while the user was working. */
  isExpired: boolean
  connectivity: Connectivity
  /** Starts a session with a token. */
  begin: (token: string) => void
}

const SessionContext = createContext<Session | null>(null)

/** Provides the signed-in user. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [token, setToken] = useState(() => validToken(localStorage.getItem(STORAGE_KEY)))
  const [isExpired, setIsExpired] = useState(false)
  const queries = useQueryClient()
  const [connectivity] = useState(() => createConnectivity(() => void queries.invalidateQueries()))
  useEffect(() => connectivity.stop, [connectivity])
  /** The current token. Events of older sessions are ignored. */
  const live = useRef<string>(null)
  const person = useRef<string>(null)

  const begin = useCallback(
    (fresh: string) => {
      localStorage.setItem(STORAGE_KEY, fresh)
      const { sub } = claimsOf(fresh)
      // Never show one user's data to another.
      if (person.current !== null && person.current !== sub) return location.reload()
      setIsExpired(false)
      setToken(fresh)
      // Retry queries that failed without a session.
      void queries.invalidateQueries()
    },
    [queries],
  )

  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (event.key !== STORAGE_KEY) return
      if (event.newValue === null) setIsExpired(true)
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
      const kept = localStorage.getItem(STORAGE_KEY)
      // Another tab signed in again, and its storage event has not arrived yet.
      if (kept !== null && kept !== current) return begin(kept)
      localStorage.removeItem(STORAGE_KEY)
      setIsExpired(true)
    }
    const session = keepSession({
      baseUrl: location.origin,
      token,
      onRenewed: (renewed) => {
        current = renewed
        localStorage.setItem(STORAGE_KEY, renewed)
      },
      onEnded: end,
    })
    // A 401 means that the user was signed out elsewhere or by an admin.
    const ask = monitoredFetch(connectivity)
    const watched: typeof fetch = async (...request) => {
      const response = await ask(...request)
      if (response.status === 401) end()
      return response
    }
    const options = { baseUrl: location.origin, session, fetch: watched, retry: RETRY }
    const cairn = createCairn(options)
    const clients = new Map<string, Cairn>()
    const inApp = (appId: string) => {
      const client = clients.get(appId) ?? createCairn({ ...options, appId })
      clients.set(appId, client)
      return client
    }
    const signOut = async () => {
      // Sign out locally even if the service and the issuer cannot be reached.
      await cairn.auth.signOut().catch(() => {})
      localStorage.removeItem(STORAGE_KEY)
      localStorage.removeItem(PICTURES_KEY)
      live.current = null
      const atIssuer = await issuerSignOutUrl().catch(() => undefined)
      if (atIssuer) return location.assign(atIssuer)
      setToken(null)
    }
    return { cairn, inApp, userId: sub, roles: roles ?? [], signOut }
  }, [token, begin, connectivity])

  const session = useMemo(
    () => ({ signedIn, isExpired, connectivity, begin }),
    [signedIn, isExpired, connectivity, begin],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

/** The URL that ends the session at the issuer, so that the next user of this browser must authenticate. */
async function issuerSignOutUrl(): Promise<URL | undefined> {
  const [{ signIn }, { endSessionUrl }] = await Promise.all([loadSettings(), import('./oidc.ts')])
  return signIn ? endSessionUrl(signIn) : undefined
}

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession outside of SessionProvider')
  return session
}

/** The signed-in user. Always present inside the shell. */
export function useSignedIn(): SignedIn {
  const { signedIn } = useSession()
  if (!signedIn) throw new Error('nobody is signed in')
  return signedIn
}

/** The client of the signed-in user. */
export const useCairn = (): Cairn => useSignedIn().cairn

/** The user's roles. */
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

/** The token, unless it is malformed or expired. */
function validToken(token: string | null): string | null {
  if (!token) return null
  try {
    return claimsOf(token).exp * 1000 > Date.now() ? token : null
  } catch {
    return null
  }
}
