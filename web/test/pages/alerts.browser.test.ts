import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../../server/test/network/mail-server.ts'
import { sqlOn } from '../../../server/test/sql.ts'
import { inAllShapes, type OpenConsole, startConsole } from '../support/console.ts'

let mails: MailServer
let opened: OpenConsole
let owner: Awaited<ReturnType<OpenConsole['person']>>
let appId: string
beforeAll(async () => {
  mails = await startMailServer({ withoutTls: true })
  opened = await startConsole({
    CAIRN_SMTP_URL: `smtp://localhost:${mails.port}`,
    CAIRN_SMTP_FROM: 'cairn@box.example',
  })
  owner = await opened.person({ name: 'owner', roles: [] })
  appId = (await opened.given.app({ owner, name: 'Harbour Hunt' })).id
})
afterAll(async () => {
  await opened.stop()
  await mails.stop()
})

test('an admin of the app chooses whom alerts are mailed to, and sees which address refuses a test', async () => {
  const { page, complaints } = await opened.open(`/apps/${appId}/settings`, { token: owner.token })
  const addresses = page.getByLabel('Mail addresses')
  await addresses.fill('ada@team.example\nbob')
  await page.getByRole('button', { name: 'Save alerts' }).click()
  await page.locator('textarea[aria-invalid=true]').waitFor()
  await addresses.fill('ada@team.example\nbob@team.example')
  expect(await page.getByRole('button', { name: 'Send a test mail' }).count()).toBe(0)
  await page.getByLabel('Webhooks that fail').uncheck()
  await page.getByRole('combobox', { name: 'Language of the mails' }).click()
  await page.getByRole('option', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: 'Save alerts' }).click()
  mails.refuses = (address) => (address === 'bob@team.example' ? 550 : undefined)
  await page.getByRole('button', { name: 'Send a test mail' }).click()
  await page.getByText('ada@team.example: accepted by the mail server').waitFor()
  await inAllShapes(page, 'app-alerts', () =>
    page.getByText('bob@team.example: The mail server refused this address (550)').waitFor(),
  )
  expect((await owner.get(`/api/v1/apps/${appId}/alert-settings`)).body).toEqual({
    addresses: ['ada@team.example', 'bob@team.example'],
    kinds: ['reviews_waiting', 'webhook_disabled', 'quota_near'],
    language: 'de',
    sendsMail: true,
  })
  expect(complaints).toEqual([])
})

test('input that is not saved yet stays when another admin saves, and says so; theirs can be used instead', async () => {
  const other = (body: object) => owner.put(`/api/v1/apps/${appId}/alert-settings`, body)
  const kinds = ['quota_near']
  expect((await other({ addresses: ['ada@team.example'], kinds })).status).toBe(200)
  const { page, complaints } = await opened.open(`/apps/${appId}/settings`, { token: owner.token })
  const addresses = page.getByLabel('Mail addresses')
  const notice = page.getByText('Someone else has saved these settings')
  // The page reads settings again when it is looked at again.
  const lookAgain = async () => {
    await page.clock.fastForward(10_000)
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
  }
  await page.clock.install()
  await page.reload()
  await expect.poll(() => addresses.inputValue()).toBe('ada@team.example')

  await other({ addresses: ['bob@team.example'], kinds })
  await lookAgain()
  await expect.poll(() => addresses.inputValue()).toBe('bob@team.example')
  expect(await notice.count()).toBe(0)

  await addresses.fill('eve@team.example')
  await other({ addresses: ['ada@team.example', 'kim@team.example'], kinds })
  await lookAgain()
  await notice.waitFor()
  expect(await addresses.inputValue()).toBe('eve@team.example')
  await inAllShapes(page, 'app-alerts-changed', () => notice.waitFor())
  await page.getByRole('button', { name: 'Use theirs' }).click()
  expect(await addresses.inputValue()).toBe('ada@team.example\nkim@team.example')
  expect(await notice.count()).toBe(0)

  await addresses.fill('eve@team.example')
  await other({ addresses: [], kinds })
  await lookAgain()
  await notice.waitFor()
  await page.getByRole('button', { name: 'Save alerts' }).click()
  await notice.waitFor({ state: 'detached' })
  expect((await owner.get(`/api/v1/apps/${appId}/alert-settings`)).body.addresses).toEqual(['eve@team.example'])
  expect(complaints).toEqual([])
})

test('alerts are listed with when they opened and ended; who is no admin sees no address', async () => {
  const developer = await opened.person({ name: 'developer', roles: [] })
  await owner.post(`/api/v1/apps/${appId}/members`, { userId: developer.id, role: 'developer' })
  await sqlOn(opened.service)(
    `insert into alerts (id, app_id, kind, subject, summary, seen_at, opened_at, ended_at)
     select gen_random_uuid(), $1, kind, subject, 'x', now(), now() - age, ended
       from (values ('quota_near', 'keys', interval '1 hour', null::timestamptz),
                    ('reviews_waiting', '', interval '2 days', now() - interval '1 day')) v(kind, subject, age, ended)`,
    [appId],
  )
  const { page, complaints } = await opened.open(`/apps/${appId}/settings`, { token: developer.token })
  const list = page.getByRole('table', { name: 'Last alerts' })
  await list.getByRole('row', { name: /Quotas that are nearly used up.*Additional keys.*Open/ }).waitFor()
  await inAllShapes(page, 'app-alert-list', () =>
    list.getByRole('row', { name: /Scores and check-ins that wait for a review/ }).waitFor(),
  )
  expect(await page.getByLabel('Mail addresses').count()).toBe(0)
  expect(complaints).toEqual([])
})
