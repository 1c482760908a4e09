import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { HttpError } from '../../../platform/errors.ts'
import { html } from '../../../platform/html/html.ts'
import { errorBox, field, noticePage, type Page } from '../../../platform/html/page.ts'
import { FirstAdminForm, FirstAdminQuery } from '../schema.ts'
import type { AccountService } from '../service.ts'
import type { LinkState } from '../store.ts'
import { registerPageErrors, sendPage, toHttpError } from './page-responses.ts'

type Deps = {
  accounts: AccountService
  publicUrl: () => string
  /** Where the new admin goes on. */
  goOnAt: () => string
}

/** The page behind the one-time link that a new box prints. Who has the link may make the first admin, so nothing else protects it. */
export const firstAdminRoutes =
  ({ accounts, publicUrl, goOnAt }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const signIn = () => `${publicUrl()}/sign-in`
    await registerPageErrors(app, signIn)
    const ended = (state: LinkState) =>
      noticePage('This link does not count', SENTENCES[state], { href: signIn(), text: 'Sign in' })
    const schema = { hide: true, querystring: FirstAdminQuery }

    app.get('/first-admin', { schema }, async (request, reply) => {
      const state = await accounts.firstAdminLink(request.query.code)
      return state === 'live' ? sendPage(reply, formPage('')) : sendPage(reply, ended(state), STATUSES[state])
    })

    app.post(
      '/first-admin',
      { config: { needsDiskSpace: false, holdsSecret: true }, schema: { ...schema, body: FirstAdminForm } },
      async (request, reply) => {
        const { code } = request.query
        const { login, password, again } = request.body
        const state = await accounts.firstAdminLink(code)
        if (state !== 'live') return sendPage(reply, ended(state), STATUSES[state])
        if (password !== again) return sendPage(reply, formPage(login, 'The two passwords differ', 'password'), 400)
        try {
          await accounts.makeFirstAdmin(code, { login, password }, request.ip)
          return reply.header('cache-control', 'no-store').redirect(goOnAt(), 303)
        } catch (error) {
          if (error instanceof HttpError && error.status === 409) return sendPage(reply, ended('used'), STATUSES.used)
          const { status, message, headers } = toHttpError(error)
          return sendPage(reply.headers(headers), formPage(login, message, memberOf(error)), status)
        }
      },
    )
  }

const SENTENCES: Record<LinkState, string> = {
  live: '',
  used: 'It was used: the first admin exists.',
  ended: 'A later start printed a newer link, or there is an account or an admin by now.',
  unknown: 'It is not one of this Cairn: copy it whole from where the service was started.',
}
const STATUSES: Record<LinkState, number> = { live: 200, used: 410, ended: 410, unknown: 404 }

const memberOf = (error: unknown) =>
  error instanceof HttpError && typeof error.error !== 'string' ? String(error.error[0]?.path[0]) : undefined

const formPage = (login: string, error?: string, wrong?: string): Page => ({
  title: error ? 'Error: the first admin' : 'The first admin',
  body: html`<h1>Make the first admin</h1>
<p class="note">This account runs the box. Others are added with <code>cairn user add</code>.</p>
${errorBox(error)}
<form method="post">
${field({ name: 'login', label: 'Login', type: 'text', autocomplete: 'username', value: login, isWrong: wrong === 'login', hasFocus: wrong !== 'password' })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: 'At least 8 characters. Long is better than odd.', isWrong: wrong === 'password', hasFocus: wrong === 'password' })}
${field({ name: 'again', label: 'Password again', type: 'password', autocomplete: 'new-password', isWrong: wrong === 'password' })}
<button type="submit">Make the account</button>
</form>`,
})
