import { type Html, html } from '../../../platform/html/html.ts'
import type { Page } from '../../../platform/html/page.ts'
import { type CollectionId, collections, type Feature, type Link } from '../schema.ts'

/** Features on a page for people, at most. */
export const FEATURES_A_PAGE = 50

type Listed = { title: string; description: string; links: Link[] }
type Collection = Listed & { id: string; extent?: unknown }
type FeaturePage = { features: Feature[]; numberMatched?: number | undefined; links: Link[] }

/** The address of a document as a page. */
const asPage = (href: string): string => `${href}${href.includes('?') ? '&' : '?'}f=html`

const link = (href: string, text: string): Html => html`<a href="${href}">${text}</a>`

const table = (rows: [name: string, value: Html][]): Html => {
  const lines = rows.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)
  return html`<table>${lines}</table>`
}

/** A value as people read it; addresses are links. */
function shown(value: unknown): Html {
  if (value === null || value === undefined) return html`–`
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return html`${value.map((one) => html`${shown(one)} `)}`
  if (typeof value === 'object') return html`<code>${JSON.stringify(value).slice(0, 2000)}</code>`
  const text = String(value)
  return /^https?:\/\//.test(text) ? html`<a href="${text}" rel="noreferrer nofollow">${text}</a>` : html`${text}`
}

/** Documents of the module of tiles. */
const WITHOUT_PAGE = /\/(tiles|tileMatrixSets)$/

/** Links to other documents, each as a page where it has one. */
function linkList(links: Link[]): Html {
  const pages = links.filter(({ rel, type }) => rel !== 'self' && rel !== 'alternate' && type !== 'text/html')
  const items = pages.map(({ href, title, rel }) => {
    const address = WITHOUT_PAGE.test(href) ? href : asPage(href)
    return html`<li>${link(address, title ?? rel)}</li>`
  })
  return html`<ul>${items}</ul>`
}

const asJson = (links: Link[]): Html => {
  const self = links.find(({ rel }) => rel === 'self')
  return self
    ? html`<p class="hint">${link(`${self.href}${self.href.includes('?') ? '&' : '?'}f=json`, 'As JSON')}</p>`
    : html``
}

export const landingPage = ({ title, description, links }: Listed): Page => ({
  title,
  body: html`<h1>${title}</h1><p>${description}</p>${linkList(links)}${asJson(links)}`,
})

export const apiPage = ({ info }: { info: { title: string } }): Page => ({
  title: info.title,
  body: html`<h1>${info.title}</h1><p>${link('/docs/', 'Documentation of the whole service')}</p>`,
})

export const conformancePage = ({ conformsTo }: { conformsTo: string[] }): Page => ({
  title: 'Conformance',
  body: html`<h1>Conformance</h1><ul>${conformsTo.map((uri) => html`<li>${uri}</li>`)}</ul>`,
})

export function collectionsPage(document: { collections: Collection[]; links: Link[] }): Page {
  const items = document.collections.map(({ title, description, links }) => {
    const self = links.find(({ rel }) => rel === 'self')!
    return html`<li>${link(asPage(self.href), title)}: ${description}</li>`
  })
  return { title: 'Collections', body: html`<h1>Collections</h1><ul>${items}</ul>${asJson(document.links)}` }
}

export const collectionPage = ({ title, description, extent, links }: Collection): Page => ({
  title,
  body: html`<h1>${title}</h1><p>${description}</p>${table([['Extent', shown(extent)]])}${linkList(links)}${asJson(links)}`,
})

export const schemaPage = (document: { title: string }): Page => ({
  title: document.title,
  body: html`<h1>${document.title}</h1><pre><code>${JSON.stringify(document, null, 2)}</code></pre>`,
})

export function itemsPage(id: CollectionId, { features, numberMatched, links }: FeaturePage, base: string): Page {
  const items = features.map(
    ({ id: number, properties }) =>
      html`<li>${link(asPage(`${base}/collections/${id}/items/${number}`), String(properties.title ?? number))}</li>`,
  )
  const next = links.find(({ rel }) => rel === 'next')
  const { title } = collections[id]
  return {
    title,
    body: html`<h1>${title}</h1>
<p>${numberMatched === undefined ? '' : `${numberMatched.toLocaleString('en')} in all. `}${link(asPage(`${base}/collections/${id}`), 'About this collection')}</p>
<ul>${items}</ul>
${next ? html`<p>${link(asPage(next.href), 'Next page')}</p>` : html``}${asJson(links)}`,
  }
}

export function itemPage(id: CollectionId, feature: Feature, base: string): Page {
  const rows = Object.entries(feature.properties).map(([name, value]): [string, Html] => [name, shown(value)])
  const title = String(feature.properties.title ?? feature.id)
  return {
    title,
    body: html`<h1>${title}</h1>
<p>${link(asPage(`${base}/collections/${id}/items`), collections[id].title)}, ${String(feature.id)}</p>
${table([...rows, ['geometry', shown(feature.geometry)]])}${asJson(feature.links ?? [])}`,
  }
}
