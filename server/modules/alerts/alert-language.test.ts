import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Alerting, startAlerting } from '../../test/network/alerting.ts'
import { headerOf, type ReceivedMail } from '../../test/network/mail-server.ts'

let alerting: Alerting
let mails: Alerting['mails']
let given: Alerting['given']
let sql: Alerting['sql']
let looks: Alerting['looks']
beforeAll(async () => {
  alerting = await startAlerting({ CAIRN_ALERT_LANGUAGE: 'de' })
  ;({ mails, given, sql, looks } = alerting)
})
afterAll(() => alerting.stop())

const subjectOf = (mail: ReceivedMail | undefined) => headerOf(mail!, 'subject')

/** An app with a webhook, whose alerts go to an address of its own in a language. */
async function teamWith(language: string) {
  const owner = await given.user()
  const app = await given.app({ owner, name: 'Trail' })
  const url = `/api/v1/apps/${app.id}`
  const to = `${app.id}@team.example`
  const mailIn = (next: string) =>
    owner.put(`${url}/alert-settings`, { addresses: [to], kinds: ['webhook_failing'], language: next })
  await owner.post(`${url}/webhooks`, { url: 'https://hooks.example.org', eventTypes: ['player.created'] })
  expect((await mailIn(language)).status).toBe(200)
  return {
    mailIn,
    list: async () => (await owner.get(`${url}/alerts`)).body.alerts,
    fails: (isFailing: boolean) => alerting.fails(app.id, isFailing),
    /** The next mail, once it has arrived. */
    async mail(nth: number) {
      const own = () => mails.mails.filter((mail) => mail.to.includes(to))
      for (let i = 0; own().length <= nth; i++) {
        if (i === 600) throw new Error('The mail did not arrive')
        await sleep(50)
      }
      return own()[nth]
    },
    forgetFigures: () => sql('update alerts set figures = null where app_id = $1', [app.id]),
  }
}

describe('an alert', () => {
  test('is mailed in the language of the settings at that time, and listed in English', async () => {
    const team = await teamWith('de')
    await team.fails(true)
    await looks(1, 2)
    const opened = await team.mail(0)
    expect(subjectOf(opened)).toBe('[Cairn] Zustellungen an 1 Webhook schlagen fehl – Trail')
    expect(opened!.text).toContain('weil ein Admin der App')
    expect((await team.list())[0].summary).toBe('Deliveries to 1 webhook fail')
    await team.mailIn('es')
    await team.fails(false)
    await looks(1, 10)
    expect(subjectOf(await team.mail(1))).toBe('[Cairn] Terminada: Fallan las entregas a 1 webhook – Trail')
  })

  test('that a release without translations opened is mailed with its English summary', async () => {
    const team = await teamWith('de')
    await team.fails(true)
    await looks(1, 2)
    await team.mail(0)
    await team.forgetFigures()
    await team.fails(false)
    await looks(1, 10)
    expect(subjectOf(await team.mail(1))).toBe('[Cairn] Beendet: Deliveries to 1 webhook fail – Trail')
  })

  test('of the installation is mailed in the language of CAIRN_ALERT_LANGUAGE', async () => {
    await sql(
      `insert into pgboss.job (name, state, data, retry_limit) select 'purge-app', 'failed', '{"appId":"x"}', 0`,
    )
    await looks(1, 2)
    const mail = await mails.next(({ to }) => to.includes('ops@box.example'))
    expect(subjectOf(mail)).toBe('[Cairn] 1 Auftrag der Warteschlange „purge-app“ fehlgeschlagen')
    await sql(`delete from pgboss.job where name = 'purge-app'`)
  })
})
