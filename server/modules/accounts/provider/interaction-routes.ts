import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { html } from '../../../platform/html/html.ts'
import { errorBox, field, type Page } from '../../../platform/html/page.ts'
import { commandName } from '../../../platform/process/command-name.ts'
import type { PageTexts } from '../page-texts/english.ts'
import { pageTexts } from '../page-texts/index.ts'
import { SignInForm } from '../schema.ts'
import type { AccountService } from '../service.ts'
import type { NewAccountCookie } from '../sign-in/new-account-cookie.ts'
import { fixable, pageFault, registerPageErrors, sendPage } from '../sign-in/page-responses.ts'
import { type BuiltInProvider, COMMAND_LINE_CLIENT, CONSOLE_CLIENT } from './provider.ts'

type Deps = {
  accounts: AccountService
  newAccount: NewAccountCookie
  box: () => Promise<BuiltInProvider>
  /** Where people start again. */
  goOnAt: () => string
}
type Interaction = Awaited<ReturnType<BuiltInProvider['provider']['interactionDetails']>>

/**
 * The pages of the built-in issuer: sign-in and, for a program on the device, consent. They need the cookie that the
 * issuer set for this sign-in, so no other site can submit them (SameSite=Lax).
 */
export const interactionRoutes =
  ({ accounts, newAccount, box, goOnAt }: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    await registerPageErrors(app, goOnAt)
    const path = '/oidc/interaction/:uid'

    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const { provider, interaction } = await interactionOf(request, reply)
      if (interaction.prompt.name === 'consent') return sendPage(reply, confirmPage(interaction, pageTexts(request)))
      const account = asksForAnyUser(interaction) ? await newAccount.accountOf(request) : undefined
      if (account) {
        newAccount.remove(reply)
        const result = { login: { accountId: account.login, remember: false }, consent: {} }
        return reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303)
      }
      return sendPage(reply, await signInPage(interaction, pageTexts(request), { login: hintOf(interaction) }))
    })

    app.post(
      path,
      { config: { needsDiskSpace: false, holdsSecret: true }, schema: { hide: true, body: SignInForm } },
      async (request, reply) => {
        const { provider, interaction } = await interactionOf(request, reply)
        const goOn = async (result: Parameters<typeof provider.interactionResult>[2]) =>
          reply.redirect(await provider.interactionResult(request.raw, reply.raw, result), 303)
        if (interaction.prompt.name === 'consent') return goOn({ consent: {} })

        const { login, password } = request.body
        const texts = pageTexts(request)
        try {
          const account = await accounts.signIn(login, password, request.ip)
          if (!account) {
            return sendPage(reply, await signInPage(interaction, texts, { login, error: texts.wrong }), 401)
          }
          // A user who has just typed the password is not asked for consent too.
          return goOn({ login: { accountId: account.login, remember: false }, consent: {} })
        } catch (error) {
          const { status, message, headers } = fixable(error, texts)
          return sendPage(
            reply.headers(headers),
            await signInPage(interaction, texts, { login, error: message }),
            status,
          )
        }
      },
    )

    async function interactionOf(request: FastifyRequest<{ Params: unknown }>, reply: FastifyReply) {
      const { provider } = await box()
      const interaction = await provider.interactionDetails(request.raw, reply.raw).catch((error: unknown) => {
        if ((error as Error).name === 'SessionNotFound') return undefined
        throw error
      })
      const { uid } = request.params as { uid: string }
      if (interaction?.uid !== uid) throw pageFault(request, (texts) => texts.expired)
      return { provider, interaction }
    }

    async function signInPage(
      interaction: Interaction,
      texts: PageTexts,
      { login, error }: { login?: string; error?: string },
    ) {
      const isWrong = error !== undefined
      const body = html`<h1>${texts.signIn}</h1>
<p class="note">${isForProgram(interaction) ? texts.forProgram : texts.withAccount}</p>
${errorBox(error)}
${(await accounts.isEmpty()) ? html`<p>${texts.nobodyYet(commandName())}</p>` : undefined}
<form method="post">
${field({ name: 'login', label: texts.login, type: 'text', autocomplete: 'username', value: login ?? '', isWrong, hasFocus: !login })}
${field({ name: 'password', label: texts.password, type: 'password', autocomplete: 'current-password', isWrong, hasFocus: !!login })}
<button type="submit">${texts.signIn}</button>
</form>`
      return {
        title: isWrong ? texts.signInError : texts.signIn,
        body,
        formLeadsTo: returnOf(interaction),
      } satisfies Page
    }
  }

const isForProgram = ({ params }: Interaction) => params.client_id === COMMAND_LINE_CLIENT

/** The console or the page that shows a token signs somebody in, and does not ask for the password again. */
const asksForAnyUser = ({ params, prompt }: Interaction) =>
  params.client_id === CONSOLE_CLIENT && prompt.reasons.every((reason) => reason === 'no_session')

const hintOf = ({ params }: Interaction) =>
  typeof params.login_hint === 'string' && params.login_hint.length <= 100 ? params.login_hint : ''

/** Browsers apply the form's policy to its redirects too. The address was checked when the sign-in started. */
const returnOf = ({ params }: Interaction) => [new URL(String(params.redirect_uri)).origin]

/**
 * The user is signed in and a program asks for access. It cannot prove which program it is (RFC 8252 §8.6), so the user
 * decides.
 */
const confirmPage = (interaction: Interaction, texts: PageTexts): Page => ({
  title: texts.allow,
  formLeadsTo: returnOf(interaction),
  body: html`<h1>${texts.allowAs(interaction.session?.accountId ?? '')}</h1>
<p>${texts.allowText}</p>
<form method="post"><button type="submit">${texts.doAllow}</button></form>`,
})
