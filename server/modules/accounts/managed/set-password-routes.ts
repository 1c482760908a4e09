import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Secrets } from '../../../platform/credentials/secrets.ts'
import type { Clock } from '../../../platform/database/clock.ts'
import { html } from '../../../platform/html/html.ts'
import { errorBox, field, noticePage, type Page } from '../../../platform/html/page.ts'
import { hashOfCode, passwordFault } from '../credentials.ts'
import type { PageTexts } from '../page-texts/english.ts'
import { pageTexts } from '../page-texts/index.ts'
import { LinkQuery, NewPasswordForm } from '../schema.ts'
import type { AccountService } from '../service.ts'
import type { NewAccountCookie } from '../sign-in/new-account-cookie.ts'
import { fixable, pageFault, registerPageErrors, sendPage } from '../sign-in/page-responses.ts'
import { sealedCookie } from '../sign-in/sealed-cookie.ts'
import type { AccountLinks } from './account-links.ts'

type Deps = {
  accounts: Pick<AccountService, 'find'>
  links: AccountLinks
  newAccount: NewAccountCookie
  /** Where people sign in afterwards. */
  goOnAt: () => string
  publicUrl: () => string
  secrets: Secrets
  clock: Clock
}

/**
 * The page behind a link that sets the password of an account. The link alone authorizes it; the form also needs the
 * cookie of the page, so that no other site can submit it and sign the visitor in to an account of its own.
 */
export const setPasswordRoutes =
  ({ accounts, links, newAccount, goOnAt, publicUrl, secrets, clock }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    await registerPageErrors(app, goOnAt)
    const schema = { hide: true, querystring: LinkQuery }
    const cookie = sealedCookie<{ link: string }>({
      name: 'cairn_set_password',
      seconds: 1800,
      address: () => `${publicUrl()}/set-password`,
      ...{ secrets, clock },
    })
    const invalid = (request: FastifyRequest, reply: FastifyReply) => {
      const { invalidLink, invalidPasswordLink, signIn } = pageTexts(request)
      return sendPage(reply, noticePage(invalidLink, invalidPasswordLink, { href: goOnAt(), text: signIn }), 404)
    }

    app.get('/set-password', { schema }, async (request, reply) => {
      const { code } = request.query
      const login = await links.loginOf(code)
      if (login === undefined) return invalid(request, reply)
      cookie.set(reply, { link: digestOf(code) })
      return sendPage(reply, formPage(pageTexts(request), login))
    })

    app.post(
      '/set-password',
      { config: { needsDiskSpace: false, holdsSecret: true }, schema: { ...schema, body: NewPasswordForm } },
      async (request, reply) => {
        const { code } = request.query
        const { password, again } = request.body
        const texts = pageTexts(request)
        const login = await links.loginOf(code)
        if (login === undefined) return invalid(request, reply)
        if (cookie.valueIn(request)?.link !== digestOf(code))
          throw pageFault(request, ({ openLinkAgain }) => openLinkAgain)
        if (password !== again) return sendPage(reply, formPage(texts, login, texts.differ), 400)
        const fault = passwordFault(password, login)
        if (fault) return sendPage(reply, formPage(texts, login, texts.faults[fault]), 400)
        try {
          if (!(await links.redeem(code, password, request.ip))) return invalid(request, reply)
        } catch (error) {
          const { status, message, headers } = fixable(error, texts)
          return sendPage(reply.headers(headers), formPage(texts, login, message), status)
        }
        const account = await accounts.find(login)
        if (account) newAccount.give(reply, account)
        return reply.header('cache-control', 'no-store').redirect(goOnAt(), 303)
      },
    )
  }

const digestOf = (code: string) => hashOfCode(code).toString('base64url')

/** The login is a field, so that password managers store it with the password. */
const formPage = (texts: PageTexts, login: string, error?: string): Page => ({
  title: error ? texts.setPasswordError : texts.setPassword,
  body: html`<h1>${texts.setPassword}</h1>
<p class="note">${texts.setPasswordText(login)}</p>
${errorBox(error)}
<form method="post">
<input type="text" name="login" value="${login}" autocomplete="username" readonly hidden>
${field({ name: 'password', label: texts.password, type: 'password', autocomplete: 'new-password', hint: texts.passwordHint, isWrong: error !== undefined, hasFocus: true })}
${field({ name: 'again', label: texts.again, type: 'password', autocomplete: 'new-password', isWrong: error !== undefined })}
<button type="submit">${texts.doSetPassword}</button>
</form>`,
})
