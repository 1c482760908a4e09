import type { AppUser } from '../../platform/credentials/callers.ts'
import type { Actor } from '../../platform/database/audit.ts'
import type { Page, PageQuery } from '../../platform/http/pages.ts'
import type { MailRefused } from '../../platform/mail/mail-refused.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import type { Alert, AlertSettings, AlertSettingsAnswer, BoxAlert, TestMails } from './schema.ts'
import type { AlertStore } from './store.ts'
import { testMail } from './texts/mails.ts'

type Deps = {
  store: AlertStore
  /** @throws 404 if the user may not know the app, 403 without the role that the operation needs */
  assertRole: (appId: string, user: AppUser) => Promise<unknown>
  /** @throws 403, 404 if the user cannot read the app */
  assertReader: (appId: string, user: AppUser) => Promise<void>
  mailer: Mailer | undefined
  /** Counts a test. @throws 429 */
  takeTest: (userId: string) => Promise<void>
  publicUrl: () => string
  newId: () => string
}

/** The caller and the app of a request. */
type AppContext = { appId: string; user: AppUser; actor: Actor }

export type AlertService = ReturnType<typeof alertService>

/** The alerts of an app, and whom they are mailed to. */
export function alertService({ store, assertRole, assertReader, mailer, takeTest, publicUrl, newId }: Deps) {
  const read = async (appId: string): Promise<AlertSettingsAnswer> => ({
    ...(await store.settings(appId)),
    sendsMail: mailer !== undefined,
  })

  return {
    /** Newest first. @throws 403, 404 */
    async page(appId: string, user: AppUser, query: PageQuery): Promise<Page<Alert>> {
      await assertReader(appId, user)
      return store.page(appId, query)
    },

    /** Those of the installation, newest first. */
    boxPage: (query: PageQuery): Promise<Page<BoxAlert>> => store.boxPage(query),

    /** @throws 403, 404 */
    async settings({ appId, user }: AppContext): Promise<AlertSettingsAnswer> {
      await assertRole(appId, user)
      return read(appId)
    },

    /** @throws 403, 404 */
    async change({ appId, user, actor }: AppContext, settings: AlertSettings): Promise<AlertSettingsAnswer> {
      await assertRole(appId, user)
      await store.save(appId, settings, actor)
      return read(appId)
    },

    /** Sends a test to each address. @throws 403, 404, 429 */
    async test({ appId, user, actor }: AppContext): Promise<TestMails> {
      await assertRole(appId, user)
      const { addresses, language } = await store.settings(appId)
      if (mailer && addresses.length > 0) await takeTest(user.id)
      await store.tested(appId, actor)
      const mail = testMail(appId, await store.appName(appId), publicUrl(), language)
      const errorOf = async (to: string): Promise<string | null> => {
        if (!mailer) return 'This installation sends no mail: ask the operator to set CAIRN_SMTP_URL'
        return await mailer.send({ to, ...mail, id: newId() }).then(
          () => null,
          ({ message }: MailRefused) => message,
        )
      }
      const mails = await Promise.all(addresses.map(async (address) => ({ address, error: await errorOf(address) })))
      return { mails }
    },
  }
}
