import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { type IssuerConfig, isTrustworthy } from '../../platform/config.ts'
import type { Clock } from '../../platform/database/clock.ts'
import { unauthorized, unavailable } from '../../platform/errors.ts'
import { chosenName, httpAddress } from '../../platform/schema.ts'

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']
const KNOWN_ROLES = ['admin', 'ops']
const MINUTE = 60_000
const SKEW_SECONDS = 60

/**
 * The bearer according to the identity provider. A user is identified by (issuer, subject), never by an email address.
 */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  /** Verified by an issuer that is trusted for roles. */
  emailProven: boolean
  firstName: string | null
  lastName: string | null
  phoneNumber: string | null
  username: string | null
  imageUrl: string | null
  roles: string[]
}

/** An issuer whose keys are local: the built-in one. */
export type OwnIssuer = {
  issuer: () => string
  audience: string[]
  keys: JWTVerifyGetKey
  /** The identity that verified claims name. @throws 401 */
  identityOf: (claims: JWTPayload) => Promise<Identity>
}

/**
 * Verifies ID tokens of the configured OpenID Connect issuers: exact `iss` and `aud`, RS256/ES256/EdDSA only, 60 s of
 * clock skew against the database's clock. Tokens of the built-in issuer are checked against the clock that they were
 * issued by. Keys are found by discovery (OpenID Connect Discovery 1.0 §4), cached, and fetched again at most once a
 * minute if a `kid` is unknown.
 */
export function identityTokens(issuers: IssuerConfig[], own?: OwnIssuer, clock: Clock = Date) {
  const keySets = new Map<string, Promise<JWTVerifyGetKey>>()

  const keysOf = (config: IssuerConfig) => {
    const known = keySets.get(config.issuer)
    if (known) return known
    const found = discover(config)
    keySets.set(config.issuer, found)
    found.catch(() => keySets.delete(config.issuer))
    return found
  }

  return {
    /**
     * @throws 401 if the token is not an identity token of a configured issuer; 503 if the issuer's keys cannot be
     * fetched
     */
    async verify(token: string): Promise<Identity> {
      const { iss: named, aud } = unverified(token)
      if (own && named === own.issuer())
        return own.identityOf(
          await verified(token, own.keys, { issuer: named, audience: own.audience, now: Date.now() }),
        )
      // An issuer may be configured once per client.
      const listed = issuers.filter(({ issuer }) => issuer === named)
      const config = listed.find(({ audience }) => [aud].flat().includes(audience)) ?? listed[0]
      if (!config) throw refused('it comes from an issuer that is not configured here')
      const { issuer, audience } = config
      const keys: JWTVerifyGetKey = async (header, jws) => (await keysOf(config))(header, jws)
      return identityOf(await verified(token, keys, { issuer, audience, now: clock.now() }), config)
    },
  }
}
export type IdentityTokens = ReturnType<typeof identityTokens>

type Expected = { issuer: string; audience: string | string[]; now: number }

async function verified(token: string, keys: JWTVerifyGetKey, { now, ...expected }: Expected): Promise<JWTPayload> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      ...expected,
      algorithms: ALGORITHMS,
      currentDate: new Date(now),
      clockTolerance: SKEW_SECONDS,
      requiredClaims: ['sub', 'exp'],
    })
    if (protectedHeader.typ && protectedHeader.typ.toUpperCase() !== 'JWT') throw refused('it is not an identity token')
    // jose checks only the type, unless a maximum age is given.
    if (payload.iat !== undefined && payload.iat > now / 1000 + SKEW_SECONDS)
      throw refused('its claim "iat" is in the future: the clocks differ')
    // jose accepts any one matching audience; a token that others can use too proves nothing here.
    const known = [expected.audience].flat()
    if (![payload.aud].flat().every((one) => one !== undefined && known.includes(one)))
      throw refused('its claim "aud" also names other audiences')
    return payload
  } catch (error) {
    throw explained(error)
  }
}

const refused = (why: string) => unauthorized(`This identity token is not accepted: ${why}`)

/** Reads the claims without verification, to find the issuer. */
function unverified(token: string): JWTPayload {
  try {
    return decodeJwt(token)
  } catch {
    throw refused('it is not a JWT')
  }
}

async function discover({ issuer, jwksUri }: IssuerConfig): Promise<JWTVerifyGetKey> {
  const address = jwksUri ?? (await askForKeys(issuer))
  return createRemoteJWKSet(new URL(address), {
    cooldownDuration: MINUTE,
    cacheMaxAge: 10 * MINUTE,
    timeoutDuration: 5000,
  })
}

async function askForKeys(issuer: string): Promise<string> {
  const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(5000),
    redirect: 'error',
  })
  const { jwks_uri, issuer: named } = (await answer.json()) as { jwks_uri?: unknown; issuer?: unknown }
  if (!answer.ok || typeof jwks_uri !== 'string' || !isTrustworthy(jwks_uri) || named !== issuer)
    throw new Error(`${issuer} has no usable discovery document`)
  return jwks_uri
}

/** Turns an error of jose into a response. Errors that do not concern the token are the provider's. */
function explained(error: unknown) {
  if (error instanceof errors.JWTExpired) return refused('it has expired; get a new one')
  if (error instanceof errors.JWTClaimValidationFailed) return refused(`its claim "${error.claim}" is wrong or missing`)
  if (error instanceof errors.JOSEAlgNotAllowed) return refused('its algorithm is not one of RS256, ES256 and EdDSA')
  if (error instanceof errors.JWKSTimeout) return unavailable('The identity provider does not respond: try again', 10)
  const isProvidersFault =
    error instanceof errors.JWKSInvalid || (error as { code?: string }).code === 'ERR_JOSE_GENERIC'
  if (isProvidersFault) return unavailable('The identity provider does not return its keys: try again', 10)
  if (error instanceof errors.JOSEError) return refused('its signature does not match a key of the issuer')
  if (error instanceof Error && 'status' in error) return error
  return unavailable('The identity provider cannot be reached: try again', 10)
}

function identityOf(claims: JWTPayload, config: IssuerConfig): Identity {
  const text = (name: string) =>
    typeof claims[name] === 'string' && claims[name] !== '' ? (claims[name] as string) : null
  const roles = config.trustRoles ? [claims[config.rolesClaim]].flat().map(String) : []
  return {
    issuer: config.issuer,
    subject: subjectOf(claims),
    email: text('email'),
    emailProven: config.trustRoles && claims.email_verified === true,
    firstName: text('given_name'),
    lastName: text('family_name'),
    phoneNumber: text('phone_number'),
    username: usernameOf(text('preferred_username')),
    imageUrl: shownAddress(text('picture')),
    roles: KNOWN_ROLES.filter((role) => roles.includes(role)),
  }
}

/** The wished username, or null if it is not valid here. */
function usernameOf(wished: string | null): string | null {
  return chosenName.safeParse(wished).data ?? null
}

/** The address, or null if it is not a web address: it is shown to others, and users may choose it at the provider. */
const shownAddress = (address: string | null): string | null => httpAddress.safeParse(address).data ?? null

/** Returns the subject, which must be storable unchanged. OpenID Connect Core 1.0 §2 allows 255 ASCII characters. */
function subjectOf({ sub }: JWTPayload): string {
  // An issuer can sign anything.
  if (typeof sub !== 'string' || !sub || sub.length > 255 || sub.includes('\0') || !sub.isWellFormed())
    throw refused('its claim "sub" is wrong or missing')
  return sub
}
