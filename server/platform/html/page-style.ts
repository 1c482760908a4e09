/** The font of the console, by the name that its build gives the file. Where the console is not built, pages have the system's. */
const FONT = '/console/assets/ibm-plex-sans-latin-wght-normal-IvpUvPa2.woff2'

export const FONT_FACE = `@font-face { font-family: "IBM Plex Sans"; font-weight: 100 700; font-display: swap; src: url(${FONT}) format("woff2") }`

/**
 * The stylesheet of the sign-in pages, in the console's colours and type: light and dark, from 320 px on, without
 * scripts or requests but for the font.
 */
export const STYLE = `
${FONT_FACE}
:root {
  color-scheme: light dark;
  --canvas: light-dark(#F5F5F1, #101312); --surface: light-dark(#FFFFFF, #171B1A); --sunken: light-dark(#EFEFEA, #0C0F0E);
  --line: light-dark(#E2E1DB, #2A302E); --line-strong: light-dark(#8A8981, #6C7572);
  --ink: light-dark(#1B1D1B, #E8EBE9); --ink-2: light-dark(#4E514B, #B4BBB8);
  --accent: light-dark(#0A6B70, #57C7C4); --accent-hover: light-dark(#075559, #7AD6D3); --on-accent: light-dark(#FFFFFF, #06201F);
  --focus: light-dark(#0A6B70, #7AD6D3); --err: light-dark(#B1281F, #FF8B7E); --err-soft: light-dark(#FCEAE7, #351A17);
  --marker: light-dark(#C8450E, #FF8A52);
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; background: var(--canvas); color: var(--ink);
  font: 400 0.9375rem/1.5 "IBM Plex Sans", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { width: 100%; max-width: 26rem; margin: 0 auto; padding: clamp(24px, 10vh, 96px) 16px 48px }
main.wide { max-width: 44rem }
.brand { display: flex; align-items: center; gap: 8px; margin: 0 0 24px; font-weight: 600; color: var(--ink) }
.brand svg { width: 24px; height: 24px }
.mark { fill: var(--marker) }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 24px }
h1 { margin: 0 0 4px; font-size: 1.25rem; line-height: 1.4; font-weight: 600; letter-spacing: -0.01em; overflow-wrap: anywhere }
h2 { margin: 24px 0 8px; font-size: 0.9375rem; font-weight: 600 }
p { margin: 0 0 16px; overflow-wrap: anywhere }
p:last-child { margin-bottom: 0 }
.hint, .note { color: var(--ink-2) }
.hint { display: block; margin-top: 4px; font-size: 0.8125rem }
label { display: block; margin: 16px 0 4px; font-weight: 500 }
input { width: 100%; height: 44px; padding: 0 12px; font: inherit; font-size: 1rem; color: inherit; background: var(--surface);
  border: 1px solid var(--line-strong); border-radius: 6px }
input[aria-invalid=true] { border-color: var(--err) }
button, .button { display: inline-block; min-height: 44px; margin-top: 24px; padding: 10px 20px; font: inherit; font-weight: 600; text-decoration: none;
  color: var(--on-accent); background: var(--accent); border: 0; border-radius: 6px; cursor: pointer }
button:hover, .button:hover { background: var(--accent-hover) }
form > button:first-of-type { width: 100% }
button.copy { margin: 0 0 16px }
[hidden] { display: none !important }
button.plain { color: var(--accent); background: none; margin-top: 8px }
a { color: var(--accent) }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
.error { margin: 16px 0 0; padding: 12px; color: var(--err); background: var(--err-soft); border-radius: 6px }
.error svg { width: 16px; height: 16px; margin-right: 6px; vertical-align: -2px; fill: currentColor }
code { font: 400 0.8125rem/1.55 "IBM Plex Mono", ui-monospace, "SF Mono", Menlo, Consolas, monospace }
pre { margin: 0 0 16px; padding: 12px; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--sunken); border: 1px solid var(--line); border-radius: 6px }
table { width: 100%; margin: 0 0 16px; border-collapse: collapse }
th, td { padding: 6px 12px 6px 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; border-bottom: 1px solid var(--line) }
th { width: 12rem; font-weight: 500 }
pre code { user-select: all; -webkit-user-select: all }
.fallback + .button { margin-top: 8px }
.model { display: block; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; background: #F1F0EB }
.model img { display: block; width: 100%; aspect-ratio: 4 / 3; object-fit: contain }
.model model-viewer { --progress-bar-color: var(--accent); display: block; width: 100%; height: auto; aspect-ratio: 4 / 3 }
.model p { margin: 0; padding: 16px }
.also { margin-top: 12px }
.also a { display: inline-block; padding: 6px 0 }
.qr svg { display: block; width: 200px; height: 200px; margin: 0 0 16px; border: 1px solid var(--line); border-radius: 6px }
.fallback:not(:target) { display: none }
@media (forced-colors: active) { .error, .panel { border: 1px solid } }
`
