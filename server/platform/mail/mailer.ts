import { isIP } from 'node:net'
import { type Config, isLoopback } from '../config.ts'
import { anyAddresses, bareHost, connected, unlessAborted } from '../outbound/https-request.ts'
import type { Network } from '../outbound/network.ts'
import { refusedMail } from './mail-refused.ts'

/** A mail in plain text to one address. */
export type Mail = {
  to: string
  subject: string
  text: string
  /** Stays the same when a mail is sent again, so that its reader sees it once. */
  id: string
}

export type Mailer = ReturnType<typeof createMailer>

const CONNECT_MS = 10_000
/** Longest silence of the server. */
const SILENCE_MS = 15_000
/** One attempt in all, also with a server that sends a byte now and then. */
const TOTAL_MS = 30_000
const MAX_SUBJECT = 200

/**
 * Sends mail through the server of CAIRN_SMTP_URL, over TLS with a verified certificate: from the first byte (smtps) or
 * by STARTTLS (smtp), without which nothing is sent, except to a server on this machine. Each mail has a connection of its
 * own. @returns undefined if no server is set
 */
export function createMailer({ CAIRN_SMTP_URL, CAIRN_SMTP_FROM: from }: Config, network: Network) {
  if (CAIRN_SMTP_URL === undefined || from === undefined) return undefined
  const url = new URL(CAIRN_SMTP_URL)
  const host = bareHost(url)
  const isSecure = url.protocol === 'smtps:'
  const port = Number(url.port) || (isSecure ? 465 : 587)

  const open = async () => {
    const { createTransport } = await import('nodemailer')
    // The parser of URLs reads host and port of schemes that it knows.
    const address = new URL(`http://${url.hostname}:${port}`)
    const signal = AbortSignal.timeout(CONNECT_MS)
    const addresses = await unlessAborted(anyAddresses(address, network), signal)
    const connection = await connected(address, addresses, network, signal)
    const transport = createTransport({
      host,
      port,
      connection,
      secure: isSecure,
      ...(isLoopback(url.hostname) ? { ignoreTLS: !isSecure } : { requireTLS: true }),
      tls: { ...(isIP(host) === 0 && { servername: host }), ...(network.ca && { ca: network.ca }) },
      ...(url.username && {
        auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      }),
      greetingTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return { transport, end: () => connection.destroy() }
  }

  const within = async <T>(work: (opened: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> => {
    let end: (() => void) | undefined
    try {
      const opened = await open()
      end = opened.end
      return await unlessAborted(work(opened), AbortSignal.timeout(TOTAL_MS))
    } catch (error) {
      throw refusedMail(error)
    } finally {
      end?.()
    }
  }

  return {
    /** The server's host and port, for people who may know them. */
    server: `${url.hostname}:${port}`,

    /** Checks that the server responds and accepts the sign-in. @throws MailRefused */
    check: (): Promise<void> => within(async ({ transport }) => void (await transport.verify())),

    /** @throws MailRefused if the server has not accepted it */
    send: ({ to, subject, text, id }: Mail): Promise<void> =>
      within(async ({ transport }) => {
        await transport.sendMail({
          from,
          // As an object, so that no text is parsed as several addresses.
          to: { name: '', address: to },
          subject: cut(oneLine(subject)),
          text,
          messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
          // Out-of-office replies are not wanted (RFC 3834).
          headers: { 'auto-submitted': 'auto-generated' },
        })
      }),
  }
}

/** A text in one line, without control characters: names of people may have any. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

const cut = (text: string) => {
  const characters = [...text]
  return characters.length > MAX_SUBJECT ? `${characters.slice(0, MAX_SUBJECT - 1).join('')}…` : text
}
