import { type Config, isTrustworthy } from '../../platform/config.ts'
import { createLog } from '../../platform/log.ts'
import { s3SettingsOf } from '../../platform/storage/s3-client.ts'
import { s3Objects } from '../../platform/storage/s3-objects.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const WAIT_MS = 5000

const get = (address: string) => fetch(address, { signal: AbortSignal.timeout(WAIT_MS) })
const reason = (error: unknown) => ((error as Error).cause as Error | undefined)?.message || (error as Error).message

/** Whether the bucket answers, and whether the key may put, get and delete. */
export async function bucket(config: Config, spoolFolder: string): Promise<Finding | undefined> {
  const settings = s3SettingsOf(config)
  if (!settings) return undefined
  const where = `${settings.endpoint ?? 'AWS'}, bucket ${settings.bucket}`
  try {
    // A look that cannot be made in five minutes is as good as none; the client itself gives up earlier.
    await s3Objects({ settings, spoolFolder, publicUrl: () => '', log: createLog('silent') }).check()
    return ok('files', `${where}: written, read and removed`)
  } catch (error) {
    return fail(
      'files',
      `${where}: ${(error as Error).message}`,
      'Check CAIRN_S3_*; docs/operations.md lists the rights that the key needs',
    )
  }
}

/** Whether each identity provider says who it is, and shows keys. */
export async function* issuers({ CAIRN_OIDC: all }: Config): AsyncGenerator<Finding> {
  for (const { issuer, jwksUri } of all) {
    try {
      const address = jwksUri ?? (await keysOf(issuer))
      const answer = await get(address)
      const { keys } = (await answer.json()) as { keys?: unknown[] }
      if (!answer.ok || !Array.isArray(keys) || keys.length === 0) throw new Error(`${address} shows no keys`)
      yield ok('sign-in', `${issuer} shows ${keys.length} keys`)
    } catch (error) {
      yield fail(
        'sign-in',
        `${issuer}: ${reason(error)}`,
        'Check its address in CAIRN_OIDC, and that this machine reaches it',
      )
    }
  }
}

async function keysOf(issuer: string): Promise<string> {
  const answer = await get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  if (!answer.ok) throw new Error(`its configuration answers ${answer.status}`)
  const said = (await answer.json()) as { issuer?: string; jwks_uri?: string }
  if (said.issuer !== issuer) throw new Error(`it calls itself "${said.issuer}"`)
  if (!said.jwks_uri) throw new Error('its configuration names no keys')
  return said.jwks_uri
}

/** Whether the address that is given out leads here. */
export async function publicUrl({ CAIRN_PUBLIC_URL: address, CAIRN_HOST: host }: Config): Promise<Finding> {
  if (!address) {
    const isOpen = !/^(127\.|localhost$|::1$)/.test(host)
    return isOpen
      ? warn(
          'public address',
          `not set, and the service listens on ${host}`,
          'Set CAIRN_PUBLIC_URL to the address that clients use: links are made of it',
        )
      : ok('public address', 'not set: links lead to where the service listens')
  }
  if (!isTrustworthy(address))
    return warn(
      'public address',
      `${address} is not https`,
      'Put a proxy with a certificate before it: tokens travel with every request',
    )
  try {
    const answer = await get(`${address}/healthz`)
    const said = (await answer.json().catch(() => ({}))) as { status?: string }
    if (said.status === 'ok') return ok('public address', `${address} answers`)
    return fail(
      'public address',
      `${address}/healthz answers ${answer.status}, and is not Cairn`,
      'Let the proxy lead there',
    )
  } catch (error) {
    return warn(
      'public address',
      `${address} does not answer (${reason(error)})`,
      'Start the service, or check name and proxy',
    )
  }
}
