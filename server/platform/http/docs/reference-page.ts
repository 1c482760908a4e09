import { html } from '../../html/html.ts'
import { MARK } from '../../html/page.ts'
import { FONT_FACE } from '../../html/page-style.ts'

const FONT = '"IBM Plex Sans", ui-sans-serif, system-ui, sans-serif'

/** The colours of the console, and a bar above the reference. */
const STYLE = `
  ${FONT_FACE}
  .light-mode { --scalar-color-accent: #0a6b70; --scalar-background-1: #ffffff; --scalar-background-2: #f5f5f1; --scalar-background-3: #efefea; --scalar-border-color: #e2e1db; --scalar-color-1: #1b1d1b; --scalar-color-2: #4e514b; --scalar-color-3: #676a62; --mark: #c8450e; }
  .dark-mode { --scalar-color-accent: #57c7c4; --scalar-background-1: #171b1a; --scalar-background-2: #101312; --scalar-background-3: #1f2423; --scalar-border-color: #2a302e; --scalar-color-1: #e8ebe9; --scalar-color-2: #b4bbb8; --scalar-color-3: #8f9794; --mark: #ff8a52; }
  :root { --scalar-custom-header-height: 48px }
  body { --scalar-font: ${FONT}; margin: 0; background: var(--scalar-background-1) }
  .bar { position: sticky; top: 0; z-index: 100; display: flex; align-items: center; gap: 16px; height: 48px; padding: 0 16px; box-sizing: border-box;
    font: 500 0.875rem/1.25 ${FONT}; color: var(--scalar-color-1); background: var(--scalar-background-2); border-bottom: 1px solid var(--scalar-border-color) }
  .bar a { display: inline-flex; align-items: center; gap: 8px; min-height: 44px; color: var(--scalar-color-accent); text-decoration: none }
  .bar a:hover { text-decoration: underline }
  .bar .brand { color: inherit; font-weight: 600 }
  .bar svg { width: 20px; height: 20px }
  .bar .mark { fill: var(--mark) }
  .bar p { margin: 0 0 0 auto; font-weight: 400; color: var(--scalar-color-2) }
  .bar [hidden] { display: none }
  @media (max-width: 600px) { .bar p { font-size: 0.75rem } }
`

/** The mark, in the page: without one, browsers ask for /favicon.ico, which there is not. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E" +
  "%3Cellipse cx='10' cy='15.6' rx='8' ry='3.1' fill='%234e514b'/%3E" +
  "%3Cellipse cx='10.4' cy='10.2' rx='5.6' ry='2.6' fill='%23676a62'/%3E" +
  "%3Cellipse cx='9.8' cy='5.6' rx='3.6' ry='2.1' fill='%23c8450e'/%3E%3C/svg%3E"

/** The page of the API reference: a bar with the name and the way to the console, and the reference below. */
export const referencePage = (settings: object, home: string): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cairn API reference</title>
<link rel="icon" href="${ICON}">
<style>${{ html: STYLE }}</style>
</head>
<body>
<header class="bar">
<a class="brand" href="${home}">${MARK} Cairn</a>
<a href="${home}">Console</a>
<p id="signed-in" hidden>Requests use your session</p>
<p id="signed-out" hidden>Sign in to the console to fill in your session</p>
</header>
<div id="app"></div>
<script src="scalar/js/scalar.js"></script>
<script id="reference" src="reference.js" data-settings="${JSON.stringify(settings)}"></script>
</body>
</html>
`.html
