const WAIT_MS = 5000

const get = (address: string) => fetch(address, { signal: AbortSignal.timeout(WAIT_MS) })

/** The number of keys that an identity provider publishes. @throws an Error that says what is wrong */
export async function issuerKeys({
  issuer,
  jwksUri,
}: {
  issuer: string
  jwksUri?: string | undefined
}): Promise<number> {
  const address = jwksUri ?? (await keysOf(issuer))
  const answer = await get(address)
  const { keys } = (await answer.json()) as { keys?: unknown[] }
  if (!answer.ok || !Array.isArray(keys) || keys.length === 0) throw new Error(`${address} shows no keys`)
  return keys.length
}

async function keysOf(issuer: string): Promise<string> {
  const answer = await get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (!answer.ok) throw new Error(`its configuration answers ${answer.status}`)
  const discovery = (await answer.json()) as { issuer?: string; jwks_uri?: string }
  if (discovery.issuer !== issuer) throw new Error(`it calls itself "${discovery.issuer}"`)
  if (!discovery.jwks_uri) throw new Error('its configuration names no keys')
  return discovery.jwks_uri
}

/** The reason why a request failed, which Node puts into the error's cause. */
export const reasonOf = (error: unknown): string =>
  ((error as Error).cause as Error | undefined)?.message || (error as Error).message
