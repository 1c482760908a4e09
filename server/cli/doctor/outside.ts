import { type Config, isTrustworthy } from '../../platform/config.ts'
import { createLog } from '../../platform/logging/log.ts'
import { createMailer } from '../../platform/mail/mailer.ts'
import { issuerKeys, reasonOf } from '../../platform/outbound/issuer-keys.ts'
import { internet } from '../../platform/outbound/network.ts'
import { s3SettingsOf } from '../../platform/storage/s3/s3-client.ts'
import { s3Objects } from '../../platform/storage/s3/s3-objects.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const WAIT_MS = 5000

const get = (address: string) => fetch(address, { signal: AbortSignal.timeout(WAIT_MS) })

/** Checks that the bucket responds, and that the key may put, get and delete. */
export async function bucket(config: Config, spoolFolder: string): Promise<Finding | undefined> {
  const settings = s3SettingsOf(config)
  if (!settings) return undefined
  const where = `${settings.endpoint ?? 'AWS'}, bucket ${settings.bucket}`
  try {
    // Gives up after five minutes; the client itself usually fails earlier.
    await s3Objects({ settings, spoolFolder, publicUrl: () => '', log: createLog('silent') }).check()
    return ok('files', `${where}: written, read and removed`)
  } catch (error) {
    return fail(
      'files',
      `${where}: ${(error as Error).message}`,
      'Check CAIRN_S3_*; docs/operations.md lists the permissions that the key needs',
    )
  }
}

/** Checks that each identity provider returns its configuration and keys. */
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

/** Checks that the public address reaches this service. */
export async function publicUrl({ CAIRN_PUBLIC_URL: address, CAIRN_HOST: host }: Config): Promise<Finding> {
  if (!address) {
    const isOpen = !/^(127\.|localhost$|::1$)/.test(host)
    return isOpen
      ? warn(
          'public address',
          `not set, and the service listens on ${host}`,
          'Set CAIRN_PUBLIC_URL to the URL that clients use: links contain it',
        )
      : ok('public address', 'not set: links use the address that the service listens on')
  }
  if (!isTrustworthy(address))
    return warn(
      'public address',
      `${address} is not https`,
      'Use a proxy with a certificate: every request carries a token',
    )
  try {
    const answer = await get(`${address}/healthz`)
    const health = (await answer.json().catch(() => ({}))) as { status?: string }
    if (health.status === 'ok') return ok('public address', `${address} answers`)
    return fail(
      'public address',
      `${address}/healthz answers ${answer.status} and is not Cairn`,
      'Make the proxy forward to this service',
    )
  } catch (error) {
    return warn(
      'public address',
      `${address} does not answer (${reasonOf(error)})`,
      'Start the service, or check the host name and the proxy',
    )
  }
}

/** Checks that the mail server responds, and accepts the sign-in. */
export async function mail(config: Config): Promise<Finding> {
  const mailer = createMailer(config, internet)
  if (!mailer) return ok('mail', 'not sent: CAIRN_SMTP_URL is not set')
  try {
    await mailer.check()
    return ok(
      'mail',
      `${mailer.server} responds${new URL(config.CAIRN_SMTP_URL!).username ? ' and accepts the sign-in' : ''}`,
    )
  } catch (error) {
    return fail(
      'mail',
      `${mailer.server}: ${(error as Error).message}`,
      'Check CAIRN_SMTP_URL; docs/alerts.md says what it needs',
    )
  }
}
