import { html } from '../../../platform/html/html.ts'
import type { Page } from '../../../platform/html/page.ts'
import type { PageTexts } from '../page-texts/english.ts'
import { builtInIssuer, CONSOLE_CLIENT } from '../provider/provider.ts'

/** Each button with the ID of an element in `data-copies` copies the text of that element and says `data-copied`. Without scripts, the buttons stay hidden. */
export const COPY_SCRIPT = `
for (const button of document.querySelectorAll('button[data-copies]')) {
  const text = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    const copied = document.getElementById(button.dataset.copies)
    try {
      await navigator.clipboard.writeText(copied.textContent)
      button.textContent = button.dataset.copied
      setTimeout(() => { button.textContent = text }, 2000)
    } catch {
      getSelection().selectAllChildren(copied)
    }
  })
}
`

type Session = { login: string; token: string; expiryTime: string }
type Addresses = { publicUrl: string; consoleUrl: string | undefined }

/** The page after a sign-in without a console: the session token, once, and a first call that takes it from a variable. */
export function signedInPage(
  { login, token, expiryTime }: Session,
  { publicUrl, consoleUrl }: Addresses,
  texts: PageTexts,
): Page {
  const curl = `curl -X POST ${publicUrl}/api/v1/apps \\
  -H "authorization: Bearer $CAIRN_TOKEN" \\
  -H 'content-type: application/json' \\
  -d '{"name": "My game", "description": "A first try"}'`
  const again = new URLSearchParams({ client_id: CONSOLE_CLIENT, post_logout_redirect_uri: `${publicUrl}/sign-in` })
  return {
    title: texts.signedIn,
    wide: true,
    script: 'copy.js',
    body: html`<h1>${texts.signedInAs(login)}</h1>
<p class="note">${texts.tokenText(html`<time datetime="${expiryTime}">${inWords(expiryTime)}</time>`)}</p>
<h2>${texts.token}</h2>
<pre><code id="token">${token}</code></pre>
<button type="button" class="copy" data-copies="token" data-copied="${texts.copied}" hidden>${texts.copyToken}</button>
<h2>${texts.createApp}</h2>
<p class="note">${texts.setToken(html`<code>CAIRN_TOKEN</code>`)}</p>
<pre><code id="curl">${curl}</code></pre>
<button type="button" class="copy plain" data-copies="curl" data-copied="${texts.copied}" hidden>${texts.copyCommand}</button>
${consoleUrl && html`<p><a href="${consoleUrl}">${texts.openConsole}</a></p>`}
<p><a href="${builtInIssuer(publicUrl)}/session/end?${again.toString()}">${texts.signOutHere}</a></p>`,
  }
}

/** `2026-01-31T12:00:00.000Z` as `2026-01-31 12:00 UTC`. */
const inWords = (moment: string) => `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`
