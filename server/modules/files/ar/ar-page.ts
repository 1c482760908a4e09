import { renderSVG } from 'uqr'
import { type Html, html } from '../../../platform/html/html.ts'
import type { Page } from '../../../platform/html/page.ts'
import { viewerPolicy } from '../../../platform/http/console/console-policy.ts'
import type { Language } from '../../../platform/schema.ts'
import { arTexts } from './ar-texts.ts'

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
/** What the page can be opened for: a kind of phone, or the screen that it is on. */
export const DEVICES = ['apple', 'android', 'screen'] as const
export type Device = (typeof DEVICES)[number]

/** The device of a user agent; undefined for a desktop, which an iPad may present itself as. */
export const deviceOf = (userAgent: string): Device | undefined =>
  /Android/.test(userAgent) ? 'android' : /iPhone|iPad/.test(userAgent) ? 'apple' : undefined

/** Android returns here if it cannot show the model. */
const NO_VIEWER = 'no-viewer'

const CUBE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64' fill='none' stroke='%230a6b70' stroke-width='2.5' stroke-linejoin='round'%3E%3Cpath d='M32 8 53 20v24L32 56 11 44V20Z M32 32 53 20M32 32v24M32 32 11 20'/%3E%3C/svg%3E"

/**
 * Renders the page that shows a model in AR, without a session, on phones without scripts: iPhones and iPads open a USDZ
 * through `rel="ar"` (https://developer.apple.com/documentation/arkit/previewing-a-model-with-ar-quick-look), Android a
 * GLB through an intent (https://developers.google.com/ar/develop/scene-viewer). @param device the one that asks; others
 * get a QR code that opens the page on a phone @param viewer the address of the script that draws a GLB in 3D, if it is
 * wanted and built
 */
export function arPage(
  file: ArModel,
  device: Device | undefined,
  { language, viewer }: { language: Language; viewer: string | undefined },
): Page {
  const model = { ...file, name: titleOf(file.name), texts: arTexts[language] }
  const { name, previewUrl, texts } = model
  const drawn = viewer ? model.glbUrl : null
  const body = html`<h1>${name}</h1>
<p class="hint">${texts.about}</p>
${device === 'apple' ? onApple(model) : device === 'android' ? onAndroid(model) : onDesktop(model, drawn)}`
  return {
    title: name,
    body,
    language,
    images: ['data:', ...(previewUrl ? [new URL(previewUrl).origin] : [])],
    ...(drawn && { script: viewer, scriptPolicy: viewerPolicy([new URL(drawn).origin]) }),
  }
}

/** The name of a file as a title: without its extension, and with spaces for the signs that stand for them. */
function titleOf(fileName: string): string {
  const name = fileName.replace(/\.(glb|usdz|ply|obj|stl)$/i, '')
  const spaced = name.replaceAll(/[_-]+/g, ' ').trim()
  return /\s/.test(name) || spaced === '' ? name : spaced
}

type Shown = ArModel & { texts: (typeof arTexts)[Language] }

/** Tablets may present themselves as a desktop, so the page links to the ways of both devices. */
function onDesktop({ name, pageUrl, previewUrl, texts }: Shown, glbUrl: string | null): Html {
  const image = previewUrl ? html`<img src="${previewUrl}" alt="${name}">` : undefined
  return html`${glbUrl ? html`<div class="model" id="model" data-glb="${glbUrl}" data-alt="${texts.alt(name)}" data-failed="${texts.notDrawn}">${image}</div>` : image && html`<p class="model">${image}</p>`}
<h2>${texts.onPhone}</h2>
<p>${texts.scan}</p>
<div class="qr" role="img" aria-label="${texts.code}">${{ html: renderSVG(pageUrl, { border: 4, ecc: 'M' }) }}</div>
<p>${texts.here} <a href="?on=apple">${texts.apple}</a> · <a href="?on=android">${texts.android}</a></p>`
}

/** Quick Look requires the link to contain an image and nothing else. */
function onApple({ name, glbUrl, usdzUrl, usdz, previewUrl, texts }: Shown): Html {
  if (!usdzUrl || usdz !== 'there')
    return html`<h2>${texts.appleWay}</h2>
<p>${usdz === 'coming' ? texts.coming : texts.noUsdz}</p>`
  return html`<h2>${texts.appleWay}</h2>
<p>${texts.tap}</p>
<a class="model" rel="ar" href="${usdzUrl}"><img src="${previewUrl ?? CUBE}" alt="${texts.showOne(name)}"></a>
${glbUrl ? onScreen(texts) : undefined}`
}

/** For phones that show nothing in AR. The model is loaded when asked for. */
const onScreen = (texts: Shown['texts']): Html => html`<p class="also"><a href="?on=screen">${texts.onScreen}</a></p>`

function onAndroid({ name, glbUrl, pageUrl, previewUrl, texts }: Shown): Html {
  if (!glbUrl)
    return html`<h2>${texts.android}</h2>
<p>${texts.noGlb}</p>`
  const viewer = sceneViewer(glbUrl, name, `${pageUrl}?on=android#${NO_VIEWER}`)
  return html`<h2>${texts.android}</h2>
<p class="fallback" id="${NO_VIEWER}">${texts.noViewer}</p>
${previewUrl ? html`<a class="model" href="${viewer}" tabindex="-1" aria-hidden="true"><img src="${previewUrl}" alt=""></a>` : undefined}
<a class="button" href="${viewer}">${texts.show}</a>
${onScreen(texts)}`
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
