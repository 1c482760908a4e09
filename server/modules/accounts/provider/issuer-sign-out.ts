import type { KoaContextWithOIDC } from 'oidc-provider'
import { html } from '../../../platform/html/html.ts'
import type { Page } from '../../../platform/html/page.ts'
import type { PageTexts } from '../page-texts/english.ts'
import { pageTexts } from '../page-texts/index.ts'

/**
 * Handles a sign-out at the issuer (OpenID Connect RP-Initiated Logout 1.0). It asks for confirmation unless the client
 * sends the identity token of the signed-in user. @returns the confirmation page, or undefined if the sign-out is done
 * and the browser was redirected
 */
export async function signOutAtIssuer(context: KoaContextWithOIDC, form: string): Promise<Page | undefined> {
  const { session, params, entities, provider } = context.oidc
  const back = params?.post_logout_redirect_uri
  const hint = (entities.IdTokenHint as { payload?: { sub?: string } } | undefined)?.payload
  if (!session || !hint || hint.sub !== session.accountId || typeof back !== 'string')
    return signOutPage(form, pageTexts(context))
  for (const { grantId } of Object.values(session.authorizations ?? {})) {
    if (!grantId) continue
    await provider.AccessToken.revokeByGrantId(grantId)
    await provider.AuthorizationCode.revokeByGrantId(grantId)
    await (await provider.Grant.find(grantId))?.destroy()
  }
  await session.destroy()
  const to = new URL(back)
  if (typeof params?.state === 'string') to.searchParams.set('state', params.state)
  context.status = 303
  context.redirect(to.href)
  return undefined
}

/** @param form created by the provider, with its CSRF protection */
const signOutPage = (form: string, texts: PageTexts): Page => ({
  title: texts.signOut,
  body: html`<h1>${texts.signOutOf}</h1>
<p class="note">${texts.signOutText}</p>
${{ html: form }}
<button type="submit" form="op.logoutForm" name="logout" value="yes">${texts.signOut}</button>
<button class="plain" type="submit" form="op.logoutForm">${texts.stay}</button>`,
})
