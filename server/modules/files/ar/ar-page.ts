import { renderSVG } from 'uqr'
import { type Html, html } from '../../../platform/html/html.ts'
import type { Page } from '../../../platform/html/page.ts'

/** A public model. */
export type ArModel = {
  name: string
  /** The URL of this page. */
  pageUrl: string
  glbUrl: string | null
  usdzUrl: string | null
  /** A preview image. */
  previewUrl: string | null
  /** State of the USDZ. */
  usdz: 'there' | 'coming' | 'none'
}

/** Devices that show models in AR. */
export const DEVICES = ['apple', 'android'] as const
export type Device = (typeof DEVICES)[number]

/** The device of a user agent; undefined for a desktop, which an iPad may present itself as. */
export const deviceOf = (userAgent: string): Device | undefined =>
  /Android/.test(userAgent) ? 'android' : /iPhone|iPad/.test(userAgent) ? 'apple' : undefined

/** Android returns here if it cannot show the model. */
const NO_VIEWER = 'no-viewer'

const CUBE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64' fill='none' stroke='%230a6b70' stroke-width='2.5' stroke-linejoin='round'%3E%3Cpath d='M32 8 53 20v24L32 56 11 44V20Z M32 32 53 20M32 32v24M32 32 11 20'/%3E%3C/svg%3E"

/**
 * Renders the page that shows a model in AR, without scripts or a session: iPhones and iPads open a USDZ through
 * `rel="ar"` (https://developer.apple.com/documentation/arkit/previewing-a-model-with-ar-quick-look), Android a GLB
 * through an intent (https://developers.google.com/ar/develop/scene-viewer). @param device the one that asks; others get
 * a QR code that opens the page on a phone
 */
export function arPage(file: ArModel, device: Device | undefined): Page {
  const model = { ...file, name: titleOf(file.name) }
  const { name, previewUrl } = model
  const body = html`<h1>${name}</h1>
<p class="hint">See this 3D model in your surroundings, at its real size.</p>
${device === 'apple' ? onApple(model) : device === 'android' ? onAndroid(model) : onDesktop(model)}`
  return { title: name, body, images: ['data:', ...(previewUrl ? [new URL(previewUrl).origin] : [])] }
}

/** The name of a file as a title: without its extension, and with spaces for the signs that stand for them. */
function titleOf(fileName: string): string {
  const name = fileName.replace(/\.(glb|usdz|ply|obj|stl)$/i, '')
  const spaced = name.replaceAll(/[_-]+/g, ' ').trim()
  return /\s/.test(name) || spaced === '' ? name : spaced
}

/** Tablets may present themselves as a desktop, so the page links to the ways of both devices. */
function onDesktop({ name, pageUrl, previewUrl }: ArModel): Html {
  return html`${previewUrl ? html`<p class="model"><img src="${previewUrl}" alt="${name}"></p>` : undefined}
<h2>Open it on your phone</h2>
<p>Scan this code with the camera of a phone or tablet.</p>
<div class="qr" role="img" aria-label="QR code of this page">${{ html: renderSVG(pageUrl, { border: 4, ecc: 'M' }) }}</div>
<p>On this device: <a href="?on=apple">iPhone or iPad</a> · <a href="?on=android">Android</a></p>`
}

const WITHOUT_USDZ = {
  coming: 'The file for these devices is being created. Open this page again in a minute.',
  none: 'There is no file for these devices. The owner of the model can convert it to USDZ.',
}

/** Quick Look requires the link to contain an image and nothing else. */
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
<p>This model has no GLB, which Android needs to show it.</p>`
  return html`<h2>Android</h2>
<p class="fallback" id="${NO_VIEWER}">This phone cannot show it in AR, which requires Google Play Services for AR.</p>
<a class="button" href="${sceneViewer(glbUrl, name, `${pageUrl}?on=android#${NO_VIEWER}`)}">Show in AR</a>`
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
