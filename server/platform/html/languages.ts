import { Language } from '../schema.ts'

/** The texts of a page in each language. */
export type Translated<Texts> = Record<Language, Texts>

type Asking = { headers: { 'accept-language'?: string | undefined } }

/**
 * The language that a browser prefers among those that pages have, by the main parts of its tags as in the console;
 * otherwise English (RFC 9110 §12.5.4).
 */
export function languageOf({ headers }: Asking): Language {
  const wanted = (headers['accept-language'] ?? '').split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((one) => one.startsWith('q='))
    return { name: tag.split('-')[0], quality: quality ? Number(quality.slice(2)) : 1 }
  })
  const best = wanted.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality)
  return best.map(({ name }) => Language.options.find((language) => language === name)).find(Boolean) ?? 'en'
}

/** The texts in the language of a request. */
export const textsFor = <Texts>(request: Asking, texts: Translated<Texts>): Texts => texts[languageOf(request)]
