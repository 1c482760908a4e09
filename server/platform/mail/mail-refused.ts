/** A mail that was not accepted. The message shows no address, host, password or text of the server. */
export class MailRefused extends Error {
  /** Whether the server refuses the recipient, and would accept another one. */
  readonly isAddress: boolean
  /** Whether it refuses the recipient for good; anything else may pass. */
  readonly isPermanent: boolean
  constructor(message: string, { isAddress = false, isPermanent = false } = {}) {
    super(message)
    this.isAddress = isAddress
    this.isPermanent = isPermanent
  }
}

type Fault = { code?: unknown; responseCode?: unknown; command?: unknown; name?: unknown; message?: unknown }

/** The refusal that a failure of the connection or of the client library means. */
export function refusedMail(error: unknown): MailRefused {
  const { code, responseCode, command, name, message } = error as Fault
  const status = typeof responseCode === 'number' ? ` (${responseCode})` : ''
  if (code === 'EAUTH') return new MailRefused(`The mail server refused the sign-in${status}`)
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    const isPermanent = Number(responseCode) >= 500
    if (command === 'RCPT TO')
      return new MailRefused(
        isPermanent
          ? `The mail server refused this address${status}`
          : `The mail server does not accept mail to this address now${status}`,
        { isAddress: true, isPermanent },
      )
    return new MailRefused(
      isPermanent
        ? `The mail server refused the sender or the mail${status}`
        : `The mail server does not accept mail now${status}`,
    )
  }
  if (code === 'ETLS' || /certificate/i.test(String(message)))
    return new MailRefused(
      /certificate/i.test(String(message))
        ? 'The mail server has no valid certificate'
        : 'The mail server offers no usable TLS',
    )
  if (code === 'ETIMEDOUT' || name === 'TimeoutError' || name === 'AbortError')
    return new MailRefused('The mail server did not answer in time')
  return new MailRefused(`The mail server could not be reached${status}`)
}
