import { databaseClock } from '../../platform/database/clock.ts'
import { buildersOn } from '../builders.ts'
import { startService } from '../service.ts'
import { sqlOn } from '../sql.ts'
import { startMailServer } from './mail-server.ts'

export type Alerting = Awaited<ReturnType<typeof startAlerting>>

/** Starts a service that mails alerts to a real mail server, and whose clock only `pass` and `looks` move ahead. */
export async function startAlerting(settings: Record<string, string> = {}) {
  const mails = await startMailServer()
  let aheadMs = 0
  const service = await startService(
    {
      CAIRN_SMTP_URL: `smtp://files.example.org:${mails.port}`,
      CAIRN_SMTP_FROM: 'cairn@box.example',
      CAIRN_ALERT_EMAILS: 'ops@box.example',
      ...settings,
    },
    mails.network,
    undefined,
    undefined,
    undefined,
    { ...databaseClock(), now: () => Date.now() + aheadMs },
  )
  const pass = (minutes: number) => {
    aheadMs += minutes * 60_000
  }

  return {
    mails,
    service,
    given: buildersOn(service),
    sql: sqlOn(service),
    /** Moves the clock of the service. */
    pass,
    /** Looks for alerts after each of these minutes. */
    async looks(...minutes: number[]) {
      for (const count of minutes) {
        pass(count)
        await service.app.lookForAlerts()
      }
    },
    /** Sets whether deliveries to the webhooks of an app fail, as the service does. */
    fails: (appId: string, isFailing: boolean) =>
      sqlOn(service)('update webhook_endpoints set failing_since = case when $2 then now() end where app_id = $1', [
        appId,
        isFailing,
      ]),
    async stop() {
      await service.stop()
      await mails.stop()
    },
  }
}
