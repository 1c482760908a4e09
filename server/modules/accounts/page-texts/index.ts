import { type Translated, textsFor } from '../../../platform/html/languages.ts'
import { english, type PageTexts } from './english.ts'
import { german } from './german.ts'
import { spanish } from './spanish.ts'

const texts: Translated<PageTexts> = { en: english, de: german, es: spanish }

/** The texts of the pages of sign-in, in the language of a request. */
export const pageTexts = (request: Parameters<typeof textsFor>[0]): PageTexts => textsFor(request, texts)
