import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HttpError } from '../../../platform/errors.ts'
import { html } from '../../../platform/html/html.ts'
import { errorBox, field, noticePage, type Page } from '../../../platform/html/page.ts'
import { commandName } from '../../../platform/process/command-name.ts'
import { loginFault, passwordFault } from '../credentials.ts'
import type { PageTexts } from '../page-texts/english.ts'
import { pageTexts } from '../page-texts/index.ts'
import { FirstAdminForm, LinkQuery } from '../schema.ts'
import type { AccountService } from '../service.ts'
import type { LinkState } from '../store.ts'
import type { NewAccountCookie } from './new-account-cookie.ts'
import { fixable, registerPageErrors, sendPage } from './page-responses.ts'

type Deps = {
  accounts: AccountService
  newAccount: NewAccountCookie
  /** Where the new admin signs in. */
  goOnAt: () => string
}

/**
 * The page behind the one-time link that a new installation prints. The link alone authorizes the creation of the first admin.
 */
export const firstAdminRoutes =
  ({ accounts, newAccount, goOnAt }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    await registerPageErrors(app, goOnAt)
    const ended = (state: EndedState, texts: PageTexts) =>
      noticePage(texts.invalidLink, texts.links[state], { href: goOnAt(), text: texts.signIn })
    const schema = { hide: true, querystring: LinkQuery }

    app.get('/first-admin', { schema }, async (request, reply) => {
      const state = await accounts.firstAdminLink(request.query.code)
      const texts = pageTexts(request)
      return state === 'live'
        ? sendPage(reply, formPage(texts, ''))
        : sendPage(reply, ended(state, texts), STATUSES[state])
    })

    app.post(
      '/first-admin',
      { config: { needsDiskSpace: false, holdsSecret: true }, schema: { ...schema, body: FirstAdminForm } },
      async (request, reply) => {
        const { code } = request.query
        const { login, password, again } = request.body
        const texts = pageTexts(request)
        const state = await accounts.firstAdminLink(code)
        if (state !== 'live') return sendPage(reply, ended(state, texts), STATUSES[state])
        if (password !== again) return sendPage(reply, formPage(texts, login, texts.differ, 'password'), 400)
        const wrongLogin = loginFault(login)
        const fault = wrongLogin ?? passwordFault(password, login)
        if (fault)
          return sendPage(reply, formPage(texts, login, texts.faults[fault], wrongLogin ? 'login' : 'password'), 400)
        try {
          newAccount.give(reply, await accounts.makeFirstAdmin(code, { login, password }, request.ip))
          return reply.header('cache-control', 'no-store').redirect(goOnAt(), 303)
        } catch (error) {
          if (error instanceof HttpError && error.status === 409)
            return sendPage(reply, ended('used', texts), STATUSES.used)
          const { status, message, headers } = fixable(error, texts)
          return sendPage(reply.headers(headers), formPage(texts, login, message), status)
        }
      },
    )
  }

type EndedState = Exclude<LinkState, 'live'>
const STATUSES: Record<EndedState, number> = { used: 410, ended: 410, unknown: 404 }

const formPage = (texts: PageTexts, login: string, error?: string, wrong?: 'login' | 'password'): Page => ({
  title: error ? texts.firstAdminError : texts.firstAdmin,
  body: html`<h1>${texts.firstAdmin}</h1>
<p class="note">${texts.firstAdminText(commandName())}</p>
${errorBox(error)}
<form method="post">
${field({ name: 'login', label: texts.login, type: 'text', autocomplete: 'username', value: login, isWrong: wrong === 'login', hasFocus: wrong !== 'password' })}
${field({ name: 'password', label: texts.password, type: 'password', autocomplete: 'new-password', hint: texts.passwordHint, isWrong: wrong === 'password', hasFocus: wrong === 'password' })}
${field({ name: 'again', label: texts.again, type: 'password', autocomplete: 'new-password', isWrong: wrong === 'password' })}
<button type="submit">${texts.create}</button>
</form>`,
})
