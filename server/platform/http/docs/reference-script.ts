/**
 * The script of the API reference. If this browser is signed in to the console, every example uses that session, and
 * the app last viewed. The console stores both: web/src/session/session-token.ts and web/src/shell/current-app.tsx.
 */
export const REFERENCE_SCRIPT = `
const settings = JSON.parse(document.getElementById('reference').dataset.settings)
const session = localStorage.getItem('cairn-session')
const appId = localStorage.getItem('cairn-app')
const known = {}
if (session && isValid(session)) {
  known.session = { token: session }
  if (appId) known.appId = { value: appId }
}

/** Whether a token has not expired. */
function isValid(token) {
  try {
    const [, claims] = token.split('.')
    return JSON.parse(atob(claims.replace(/-/g, '+').replace(/_/g, '/'))).exp * 1000 > Date.now()
  } catch {
    return false
  }
}

/** Puts the credentials that this browser has before the others that an operation takes. */
function withKnownFirst(security) {
  const named = security.filter((needed) => Object.keys(needed).length > 0)
  const isKnown = (needed) => Object.keys(needed).every((name) => name in known)
  return named.some(isKnown) ? [...named.filter(isKnown), ...named.filter((needed) => !isKnown(needed))] : security
}

async function describe() {
  if (!known.session) return { url: settings.url }
  const content = await (await fetch(settings.url)).json()
  for (const operations of Object.values(content.paths))
    for (const operation of Object.values(operations))
      if (operation.security) operation.security = withKnownFirst(operation.security)
  return { content }
}

document.getElementById(known.session ? 'signed-in' : 'signed-out').hidden = false
describe().then((source) => {
  const { url, ...rest } = settings
  Scalar.createApiReference('#app', { ...rest, ...source, authentication: { securitySchemes: known } })
})
`
