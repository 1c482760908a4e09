// @module-tag long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../test/network/mail-server.ts'
import { runCommandOn } from '../../test/run-command.ts'
import { type Service, startService } from '../../test/service.ts'

let service: Service
let mails: MailServer
beforeAll(async () => {
  service = await startService()
  mails = await startMailServer({ withoutTls: true, password: 'right' })
})
afterAll(async () => {
  await service.stop()
  await mails.stop()
})

/** What doctor says about mail. */
const found = async (url?: string) => {
  const settings: Record<string, string> = url ? { CAIRN_SMTP_URL: url, CAIRN_SMTP_FROM: 'cairn@box.example' } : {}
  const { out } = await runCommandOn(service, ['doctor', '--json'], { CAIRN_PORT: '0', ...settings })
  return JSON.parse(out).findings.find(({ check }: { check: string }) => check === 'mail')
}

test('doctor says whether the mail server responds and accepts the sign-in, and shows no password', async () => {
  const server = `localhost:${mails.port}`
  expect(await found()).toMatchObject({ state: 'ok', says: 'not sent: CAIRN_SMTP_URL is not set' })
  expect(await found(`smtp://cairn:right@${server}`)).toMatchObject({
    state: 'ok',
    says: `${server} responds and accepts the sign-in`,
  })
  const wrong = await found(`smtp://cairn:wr0ng@${server}`)
  expect(wrong).toMatchObject({ state: 'fail', says: `${server}: The mail server refused the sign-in (535)` })
  expect(JSON.stringify(wrong)).not.toContain('wr0ng')
  expect(await found('smtp://localhost:1')).toMatchObject({
    state: 'fail',
    says: 'localhost:1: The mail server could not be reached',
  })
})
