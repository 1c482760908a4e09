import { createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { headerOf, type MailServer, startMailServer } from '../../test/network/mail-server.ts'
import { readConfig } from '../config.ts'
import { createMailer } from './mailer.ts'

const servers: MailServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})
const started = async (options?: Parameters<typeof startMailServer>[0]) => {
  const server = await startMailServer(options)
  servers.push(server)
  return server
}
const mailerTo = (server: Pick<MailServer, 'network'>, url: string) =>
  createMailer(readConfig({ CAIRN_SMTP_URL: url, CAIRN_SMTP_FROM: 'cairn@box.example' }, ''), server.network)!

const mail = { to: 'ada@team.example', subject: 'Three scores wait', text: 'Look.\n', id: 'one' }
const HOST = 'files.example.org'

describe('mail', () => {
  test.each([
    ['smtps', true],
    ['smtp', false],
  ] as const)('of %s is encrypted, signed in and in plain text', async (scheme, isSecure) => {
    const server = await started({ isSecure, password: 'p@ss/word' })
    const mailer = mailerTo(server, `${scheme}://cairn:p%40ss%2Fword@${HOST}:${server.port}`)
    await mailer.check()
    await mailer.send(mail)
    const [got] = server.mails
    expect(got).toMatchObject({ to: ['ada@team.example'], isEncrypted: true, user: 'cairn' })
    expect(headerOf(got!, 'subject')).toBe('Three scores wait')
    expect(headerOf(got!, 'from')).toBe('cairn@box.example')
    expect(headerOf(got!, 'message-id')).toBe('<one@box.example>')
    expect(headerOf(got!, 'content-type')).toContain('text/plain')
    expect(headerOf(got!, 'auto-submitted')).toBe('auto-generated')
  })

  test('is not sent without TLS, except to this machine', async () => {
    const server = await started({ withoutTls: true })
    await expect(mailerTo(server, `smtp://${HOST}:${server.port}`).send(mail)).rejects.toThrow('offers no usable TLS')
    expect(server.mails).toEqual([])
    await mailerTo(server, `smtp://localhost:${server.port}`).send(mail)
    expect(server.mails[0]).toMatchObject({ isEncrypted: false })
  })

  test.each(['smtps', 'smtp'])('of %s is not sent to a server whose certificate names another host', async (scheme) => {
    const server = await started({ isSecure: scheme === 'smtps' })
    const mailer = mailerTo(server, `${scheme}://elsewhere.example.org:${server.port}`)
    await expect(mailer.send(mail)).rejects.toThrow('no valid certificate')
    expect(server.mails).toEqual([])
  })

  test('is not sent to a server whose certificate nobody trusts', async () => {
    const server = await started({ isSecure: true })
    const { ca: _ca, ...network } = server.network
    await expect(mailerTo({ network }, `smtps://${HOST}:${server.port}`).send(mail)).rejects.toThrow(
      'no valid certificate',
    )
  })

  test('says what refused it, and nothing of the password, the address or the words of the server', async () => {
    const server = await started({ password: 'right' })
    const wrong = await mailerTo(server, `smtp://cairn:wrong@${HOST}:${server.port}`)
      .send(mail)
      .catch((error) => error)
    expect(wrong).toMatchObject({ message: 'The mail server refused the sign-in (535)', isAddress: false })
    const mailer = mailerTo(server, `smtp://cairn:right@${HOST}:${server.port}`)
    server.refuses = () => 550
    expect(await mailer.send(mail).catch((error) => error)).toMatchObject({
      message: 'The mail server refused this address (550)',
      isAddress: true,
      isPermanent: true,
    })
    server.refuses = () => 451
    expect(await mailer.send(mail).catch((error) => error)).toMatchObject({
      message: 'The mail server does not accept mail to this address now (451)',
      isAddress: true,
      isPermanent: false,
    })
    server.refusesSender = 554
    expect(await mailer.send(mail).catch((error) => error)).toMatchObject({
      message: 'The mail server refused the sender or the mail (554)',
      isAddress: false,
    })
  })

  test('fails if the server is away', async () => {
    const server = await started()
    await servers.pop()!.stop()
    const mailer = mailerTo(server, `smtp://${HOST}:${server.port}`)
    await expect(mailer.send(mail)).rejects.toThrow('could not be reached')
  })

  test('fails if the server says nothing for 15 s', { tags: ['long'] }, async () => {
    const server = await started()
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    await expect(mailerTo(server, `smtp://${HOST}:${port}`).send(mail)).rejects.toThrow('did not answer in time')
    await new Promise((resolve) => silent.close(resolve))
  })

  test('has one recipient and no headers but its own, whatever a subject or an address contains', async () => {
    const server = await started()
    const mailer = mailerTo(server, `smtp://${HOST}:${server.port}`)
    await mailer.send({ ...mail, subject: 'Game\r\nBcc: all@team.example\r\n\r\nBody\u2028\u0000 – Ünïcode 🗻' })
    const [got] = server.mails
    expect(got!.to).toEqual(['ada@team.example'])
    expect(headerOf(got!, 'bcc')).toBeUndefined()
    expect(headerOf(got!, 'subject')).toBe('Game Bcc: all@team.example Body – Ünïcode 🗻')
    await mailer.send({ ...mail, subject: '🗻'.repeat(300) })
    expect([...headerOf(server.mails[1]!, 'subject')!]).toHaveLength(200)
    await mailer.send({ ...mail, to: 'ada@team.example, all@team.example' }).catch(() => {})
    expect(server.mails.slice(2).flatMap(({ to }) => to)).not.toContain('all@team.example')
  })
})

describe('the settings of mail', () => {
  test.each([
    ['http://mail.example', 'must be a URL such as'],
    ['smtp://u:p%zz@mail.example', 'must be a URL such as'],
    ['smtp://mail.example/path', 'must be a URL such as'],
  ])('refuse %s, without a word of it', (url, message) => {
    const read = () => readConfig({ CAIRN_SMTP_URL: url, CAIRN_SMTP_FROM: 'a@b.example' }, '')
    expect(read).toThrow(message)
    expect(read).not.toThrow(url)
  })

  test('need one another', () => {
    expect(() => readConfig({ CAIRN_SMTP_URL: 'smtp://mail.example' }, '')).toThrow('needs CAIRN_SMTP_FROM')
    expect(() => readConfig({ CAIRN_ALERT_EMAILS: 'a@b.example' }, '')).toThrow('needs CAIRN_SMTP_URL')
    expect(() => readConfig({ CAIRN_ALERT_URL: 'https://b.example' }, '')).toThrow('needs CAIRN_ALERT_SECRET')
  })
})
