import { type Html, html } from '../../../platform/html/html.ts'
import type { Language } from '../../../platform/schema.ts'
import type { SharedMapView } from '../schema.ts'
import { mapTexts } from './texts.ts'

/** What the page of a map says without scripts: its text, and the lists beside the map. */
export function pageContent({ title, description, zones, pins, boards }: SharedMapView, language: Language): Html {
  const texts = mapTexts[language]
  return html`<header><h1>${title}</h1>
${description ? html`<p class="description">${description}</p>` : undefined}</header>
${zones.length > 0 ? html`<section><h2>${texts.areas}</h2><ul>${zones.map((zone) => html`<li>${zone.title}</li>`)}</ul></section>` : undefined}
${pins.length > 0 ? html`<section><h2>${texts.places}</h2><ul>${pins.map((pin) => placeItem(pin, texts.inAr))}</ul></section>` : undefined}
${boards.map((board) => boardTable(board, language))}`
}

const placeItem = ({ id, title, latitude, longitude, arUrl }: SharedMapView['pins'][number], inAr: string): Html =>
  html`<li id="pin-${String(id)}"><a href="#pin-${String(id)}" data-pin="${String(id)}">${title}</a> <span class="at">${latitude.toFixed(5)}, ${longitude.toFixed(5)}</span>${arUrl ? html` <a class="ar" href="${arUrl}" target="_blank" rel="noopener">${inAr}</a>` : undefined}</li>`

function boardTable({ title, entries }: SharedMapView['boards'][number], language: Language): Html {
  const { rank, player, score: scoreText, noScores } = mapTexts[language]
  const shown = (score: number) => score.toLocaleString(language, { maximumFractionDigits: 6 })
  return html`<section><h2>${title}</h2>
${
  entries.length > 0
    ? html`<table><thead><tr><th scope="col">${rank}</th><th scope="col">${player}</th><th scope="col">${scoreText}</th></tr></thead>
<tbody>${entries.map(({ ranking, displayName, score }) => html`<tr><td>${String(ranking)}</td><td>${displayName}</td><td>${shown(score)}</td></tr>`)}</tbody></table>`
    : html`<p>${noScores}</p>`
}</section>`
}

/** What the head of the page says to search engines and to messengers that show a preview. */
export const pageHead = ({ title, description }: SharedMapView, url: string): Html =>
  html`<title>${title}</title>
<meta property="og:title" content="${title}">
<meta property="og:type" content="website">
<meta property="og:url" content="${url}">
<meta name="robots" content="noindex">
${description ? html`<meta name="description" content="${description}"><meta property="og:description" content="${description}">` : undefined}`

/** What the script of the page draws, as JSON that cannot end its element. */
export const pageData = (map: SharedMapView): Html => ({ html: JSON.stringify(map).replaceAll('<', '\\u003c') })
