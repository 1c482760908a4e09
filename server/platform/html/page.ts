import { createHash } from 'node:crypto'
import type { Language } from '../schema.ts'
import { type Html, html } from './html.ts'
import { STYLE } from './page-style.ts'

export type Page = {
  title: string
  body: Html
  /** A wider layout for long texts. */
  wide?: boolean
  /** Origins that a form of this page may redirect to, besides this service. */
  formLeadsTo?: string[]
  /** Origins of images; none by default. */
  images?: string[]
  /** Whether pages of other sites may show it in a frame. */
  isFramed?: boolean
  /** The address of the page's script, on this service; none by default. */
  script?: string
  /** What that script loads and runs, by directive of the policy. */
  scriptPolicy?: Record<string, string>
  /** The language of its texts; English by default. */
  language?: Language
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The mark of the product. */
export const MARK: Html = {
  html: '<svg viewBox="0 0 20 20" aria-hidden="true"><ellipse cx="10" cy="16" rx="8" ry="3" fill="currentColor"/><ellipse cx="10.4" cy="10.4" rx="5.6" ry="2.5" fill="currentColor" opacity=".72"/><ellipse class="mark" cx="9.7" cy="5.3" rx="3.3" ry="2.1"/></svg>',
}
const WARNING: Html = {
  html: '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1 15.5 14.5H.5ZM7.25 6v4h1.5V6Zm0 5.2v1.5h1.5v-1.5Z" fill-rule="evenodd"/></svg>',
}

/**
 * Renders a standalone page: no inline scripts, no requests but for the font of the console, no framing unless `isFramed`, no caching. @returns the response headers and body
 */
export function renderPage(page: Page) {
  const {
    title,
    body,
    wide,
    formLeadsTo = [],
    images = [],
    isFramed = false,
    script,
    scriptPolicy = {},
    language = 'en',
  } = page
  const text = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Cairn</title>
<style>${{ html: STYLE }}</style>
</head>
<body>
<main${{ html: wide ? ' class="wide"' : '' }}>
<p class="brand">${MARK} Cairn</p>
<div class="panel">
${body}
</div>
</main>
${script ? html`<script type="module" src="${script}"></script>` : undefined}
</body>
</html>
`.html
  const loads: Record<string, string> = {
    'style-src': `'sha256-${STYLE_HASH}'`,
    'font-src': "'self'",
    ...(script && { 'script-src': "'self'" }),
    ...(images.length > 0 && { 'img-src': images.join(' ') }),
  }
  for (const [name, sources] of Object.entries(scriptPolicy)) loads[name] = `${loads[name] ?? ''} ${sources}`.trim()
  const policy = [
    "default-src 'none'",
    ...Object.entries(loads).map(([name, sources]) => `${name} ${sources}`),
    `form-action ${["'self'", ...formLeadsTo].join(' ')}`,
    `frame-ancestors ${isFramed ? '*' : "'none'"}`,
    "base-uri 'none'",
  ]
  return {
    text,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'content-language': language,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...(!isFramed && { 'x-frame-options': 'DENY' }),
      'x-content-type-options': 'nosniff',
    },
  }
}

/** The error message, announced by screen readers when the page loads. */
export const errorBox = (message: string | undefined): Html =>
  message === undefined ? html`` : html`<p class="error" role="alert" id="error">${WARNING}${message}.</p>`

type Field = {
  name: string
  label: string
  type: 'text' | 'password'
  autocomplete: string
  value?: string
  hint?: string
  /** The error concerns this field. */
  isWrong?: boolean
  hasFocus?: boolean
}

/** A labelled form field. */
export function field({ name, label, type, autocomplete, value, hint, isWrong, hasFocus }: Field): Html {
  const described = [isWrong ? 'error' : '', hint ? `${name}-hint` : ''].filter(Boolean).join(' ')
  const plain = type === 'text' ? ' autocapitalize="none" autocorrect="off" spellcheck="false"' : ''
  const flags = `${plain}${isWrong ? ' aria-invalid="true"' : ''}${described ? ` aria-describedby="${described}"` : ''}${hasFocus ? ' autofocus' : ''}`
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value ?? ''}" required${{ html: flags }}>
${hint ? html`<span class="hint" id="${name}-hint">${hint}</span>` : undefined}`
}

/** A page with a message and a link. */
export function noticePage(title: string, sentence: string, link?: { href: string; text: string }): Page {
  const body = html`<h1>${title}</h1>
<p>${sentence}</p>
${link ? html`<p><a href="${link.href}">${link.text}</a></p>` : undefined}`
  return { title, body }
}
