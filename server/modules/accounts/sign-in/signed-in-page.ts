import { html } from '../../../platform/html/html.ts'
import type { Page } from '../../../platform/html/page.ts'
import { builtInIssuer, CONSOLE_CLIENT } from '../provider/provider.ts'

/** Each button with the ID of an element in `data-copies` copies the text of that element. Without scripts, the buttons stay hidden. */
export const COPY_SCRIPT = `
for (const button of document.querySelectorAll('button[data-copies]')) {
  const text = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    const copied = document.getElementById(button.dataset.copies)
    try {
      await navigator.clipboard.writeText(copied.textContent)
      button.textContent = 'Copied'
      setTimeout(() => { button.textContent = text }, 2000)
    } catch {
      getSelection().selectAllChildren(copied)
    }
  })
}
`

/** The page after a sign-in without a console: the session token, once, and a first call that takes it from a variable. */
export function signedInPage(login: string, token: string, expiryTime: string, publicUrl: string): Page {
  const curl = `curl -X POST ${publicUrl}/api/v1/apps \\
  -H "authorization: Bearer $CAIRN_TOKEN" \\
  -H 'content-type: application/json' \\
  -d '{"name": "My game", "description": "A first try"}'`
  const again = new URLSearchParams({ client_id: CONSOLE_CLIENT, post_logout_redirect_uri: `${publicUrl}/sign-in` })
  return {
    title: 'Signed in',
    wide: true,
    script: 'copy.js',
    body: html`<h1>Signed in as ${login}</h1>
<p class="note">Anyone with this token can act as you until <time datetime="${expiryTime}">${inWords(expiryTime)}</time>. This page does not show it again.</p>
<h2>Session token</h2>
<pre><code id="token">${token}</code></pre>
<button type="button" class="copy" data-copies="token" hidden>Copy token</button>
<h2>Create an app</h2>
<p class="note">Set <code>CAIRN_TOKEN</code> to the token first.</p>
<pre><code id="curl">${curl}</code></pre>
<button type="button" class="copy plain" data-copies="curl" hidden>Copy command</button>
<p><a href="${builtInIssuer(publicUrl)}/session/end?${again.toString()}">Sign out of this browser</a></p>`,
  }
}

/** `2026-01-31T12:00:00.000Z` as `2026-01-31 12:00 UTC`. */
const inWords = (moment: string) => `${moment.slice(0, 10)} ${moment.slice(11, 16)} UTC`
