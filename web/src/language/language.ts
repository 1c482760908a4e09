import type { Messages } from '../messages/index.ts'

/** The languages of the console by their tags (BCP 47), each named in itself. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español' } as const
export type Language = keyof typeof LANGUAGES

const STORAGE_KEY = 'cairn-language'
const isLanguage = (tag: string | undefined): tag is Language => tag !== undefined && Object.hasOwn(LANGUAGES, tag)

/** The language that was chosen in this browser, otherwise the first of the browser's languages that the console has. */
export function currentLanguage(): Language {
  const tags = [localStorage.getItem(STORAGE_KEY) ?? '', ...navigator.languages]
  return tags.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en'
}

/** Keeps the choice in this browser and loads the page again in that language. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(STORAGE_KEY, language)
  location.reload()
}

/** Loaded on demand; English is part of the console. */
const TRANSLATIONS: Record<Exclude<Language, 'en'>, () => Promise<Messages>> = {
  de: async () => (await import('../messages/de/index.ts')).german,
  es: async () => (await import('../messages/es/index.ts')).spanish,
}

/**
 * Replaces the English texts by those of the current language. Must be done before anything that reads texts is loaded.
 * Texts stay English if the translation cannot be loaded.
 */
export async function translate(messages: Messages): Promise<void> {
  const language = currentLanguage()
  if (language === 'en') return
  try {
    Object.assign(messages, await TRANSLATIONS[language]())
    document.documentElement.lang = language
  } catch (error) {
    console.warn('The translation could not be loaded', error)
  }
}
