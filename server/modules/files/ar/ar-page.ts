import { type Html, html } from '../../../platform/html/html.ts'
import type { Page } from '../../../platform/html/page.ts'

/** A model that everybody may see. */
export type ArModel = {
  name: string
  /** Where this page is. */
  pageUrl: string
  glbUrl: string | null
  usdzUrl: string | null
  /** A picture of it. */
  previewUrl: string | null
  /** How the USDZ comes along, where there is none yet. */
  usdz: 'there' | 'coming' | 'none'
}

/** Where Android comes back to when nothing there can show the model. */
const NO_VIEWER = 'no-viewer'

const CUBE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64' fill='none' stroke='%230a6b70' stroke-width='2.5' stroke-linejoin='round'%3E%3Cpath d='M32 8 53 20v24L32 56 11 44V20Z M32 32 53 20M32 32v24M32 32 11 20'/%3E%3C/svg%3E"

/** Shows a model in AR, without a script and without a session: iPhones and iPads open a USDZ behind `rel="ar"` (https://developer.apple.com/documentation/arkit/previewing-a-model-with-ar-quick-look), Android a GLB by an intent (https://developers.google.com/ar/develop/scene-viewer).
 * @param isAndroid its way comes first */
export function arPage(model: ArModel, isAndroid: boolean): Page {
  const ways = [onApple(model), onAndroid(model)]
  const { name, previewUrl } = model
  const body = html`<h1>${name}</h1>
<p class="hint">A 3D model to see in place, at its own size.</p>
${isAndroid ? ways.reverse() : ways}`
  return { title: name, body, images: ['data:', ...(previewUrl ? [new URL(previewUrl).origin] : [])] }
}

const WITHOUT_USDZ = {
  coming: 'The file for these is being made: open this page again in a minute.',
  none: 'There is no file for these: whoever sent the model can convert it to USDZ.',
}

/** Quick Look wants a picture, and nothing else, inside of its link. */
function onApple({ name, usdzUrl, usdz, previewUrl }: ArModel): Html {
  if (!usdzUrl || usdz !== 'there')
    return html`<h2>iPhone and iPad</h2>
<p>${WITHOUT_USDZ[usdz === 'coming' ? usdz : 'none']}</p>`
  return html`<h2>iPhone and iPad</h2>
<p>Tap the picture.</p>
<a class="model" rel="ar" href="${usdzUrl}"><img src="${previewUrl ?? CUBE}" alt="Show ${name} in AR"></a>`
}

function onAndroid({ name, glbUrl, pageUrl }: ArModel): Html {
  if (!glbUrl)
    return html`<h2>Android</h2>
<p>This model is a USDZ, which Android does not show.</p>`
  return html`<h2>Android</h2>
<p class="fallback" id="${NO_VIEWER}">This phone cannot show it in AR: that takes Google Play Services for AR.</p>
<a class="button" href="${sceneViewer(glbUrl, name, `${pageUrl}#${NO_VIEWER}`)}">Show in AR</a>`
}

function sceneViewer(file: string, title: string, fallback: string): string {
  const query = new URLSearchParams({ file, mode: 'ar_preferred', title })
  const intent = [
    'scheme=https',
    'package=com.google.android.googlequicksearchbox',
    'action=android.intent.action.VIEW',
    `S.browser_fallback_url=${encodeURIComponent(fallback)}`,
  ]
  return `intent://arvr.google.com/scene-viewer/1.0?${query}#Intent;${intent.join(';')};end;`
}
