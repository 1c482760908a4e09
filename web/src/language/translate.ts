import type { Messages } from '../messages/index.ts'
import { currentLanguage, LANGUAGE_KEY, type Language } from './language.ts'

/** Keeps the choice in this browser and loads the page again in that language. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE_KEY, language)
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
