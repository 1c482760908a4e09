import { readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import type { Network } from '../../platform/outbound/network.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/outbound/${name}`, import.meta.url), 'utf8')

export type ReceivedMail = { to: string[]; isEncrypted: boolean; user: string | undefined; text: string }
export type MailServer = Awaited<ReturnType<typeof startMailServer>>

type Options = {
  /** TLS from the first byte. */
  isSecure?: boolean
  /** Refuses STARTTLS. */
  withoutTls?: boolean
  /** Whether a sign-in is needed. */
  password?: string
}

/** A real mail server, reached as `files.example.org`, for which it has a certificate. */
export async function startMailServer({ isSecure = false, withoutTls = false, password }: Options = {}) {
  const certificate = fixture('certificate.pem')
  const mails: ReceivedMail[] = []
  const server = {
    mails,
    port: 0,
    /** The status with which it refuses an address. */
    refuses: (_address: string): number | undefined => undefined,
    /** The status with which it refuses any sender. */
    refusesSender: undefined as number | undefined,
    /** Waits up to 30 s for a mail. */
    async next(isWanted: (mail: ReceivedMail) => boolean): Promise<ReceivedMail | undefined> {
      for (let i = 0; i < 1500; i++) {
        const found = mails.find(isWanted)
        if (found) return found
        await sleep(20)
      }
      return undefined
    },
    /** Reaches it under every name. */
    network: {
      resolve: async () => ['127.0.0.1'],
      connect: ({ port }) => connect(port, '127.0.0.1'),
      ca: certificate,
    } satisfies Network as Network,
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
  const smtp = new SMTPServer({
    secure: isSecure,
    key: fixture('key.pem'),
    cert: certificate,
    disabledCommands: withoutTls ? ['STARTTLS'] : [],
    authOptional: password === undefined,
    closeTimeout: 100,
    onAuth: ({ username, password: given }, _session, done) =>
      given === password ? done(null, { user: username }) : done(new Error('Wrong password')),
    onMailFrom: (_address, _session, done) => {
      const responseCode = server.refusesSender
      if (responseCode === undefined) done()
      else done(Object.assign(new Error('not verified at mx7.internal'), { responseCode }))
    },
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = server.refuses(address)
      if (responseCode === undefined) done()
      else done(Object.assign(new Error(`${address} is unknown at mx7.internal`), { responseCode }))
    },
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      mails.push({
        to: session.envelope.rcptTo.map(({ address }) => address),
        isEncrypted: session.secure,
        user: session.user as string | undefined,
        text: Buffer.concat(chunks).toString('utf8'),
      })
      done()
    },
  })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  server.port = (smtp.server.address() as AddressInfo).port
  return server
}

/** A header of a mail, unfolded and decoded (RFC 2047, as this service writes it). */
export function headerOf({ text }: ReceivedMail, name: string): string | undefined {
  const head = text.slice(0, text.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const found = new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]
  return found
    ?.replace(/\?= =\?/g, '?==?')
    .replace(/=\?UTF-8\?(Q|B)\?([^?]*)\?=/gi, (_all, how: string, body: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(body, 'base64').toString('utf8')
        : Buffer.from(
            body
              .replaceAll('_', ' ')
              .replace(/=([0-9A-F]{2})/gi, (_part, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ).toString('utf8'),
    )
}
