import { type Config, isTrustworthy } from '../../platform/config.ts'
import { createLog } from '../../platform/logging/log.ts'
import { issuerKeys, reasonOf } from '../../platform/outbound/issuer-keys.ts'
import { s3SettingsOf } from '../../platform/storage/s3/s3-client.ts'
import { s3Objects } from '../../platform/storage/s3/s3-objects.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const WAIT_MS = 5000

const get = (address: string) => fetch(address, { signal: AbortSignal.timeout(WAIT_MS) })

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
  for (const one of all) {
    const { issuer } = one
    try {
      yield ok('sign-in', `${issuer} shows ${await issuerKeys(one)} keys`)
    } catch (error) {
      yield fail(
        'sign-in',
        `${issuer}: ${reasonOf(error)}`,
        'Check its address in CAIRN_OIDC, and that this machine reaches it',
      )
    }
  }
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
      `${address} does not answer (${reasonOf(error)})`,
      'Start the service, or check name and proxy',
    )
  }
}
