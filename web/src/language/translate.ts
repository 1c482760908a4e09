import { german } from '../messages/de/index.ts'
import { english } from '../messages/en.ts'
import { spanish } from '../messages/es/index.ts'
import { type Area, type Messages, messages, type Texts } from '../messages/index.ts'
import { currentLanguage, LANGUAGE_KEY, type Language } from './language.ts'

/** Keeps the choice in this browser and loads the page again in that language. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE_KEY, language)
  location.reload()
}

const TEXTS: Record<Language, Texts> = { en: english, de: german, es: spanish }
const loaded = new Map<Area, Promise<void>>()

/**
 * Loads the texts of these areas in the current language. Must be done before anything that reads them is loaded. Texts
 * are English if their translation cannot be loaded.
 */
export async function loadTexts(...areas: Area[]): Promise<void> {
  await Promise.all(areas.map(loadOnce))
}

/** @param load imports a module that reads texts of these areas, beside `common` and `shell` */
export const withTexts =
  <Module>(load: () => Promise<Module>, ...areas: Area[]) =>
  async (): Promise<Module> => {
    await loadTexts(...areas)
    return load()
  }

function loadOnce(area: Area): Promise<void> {
  const loading = loaded.get(area) ?? load(messages, area)
  loaded.set(area, loading)
  loading.catch(() => loaded.delete(area))
  return loading
}

async function load<A extends Area>(into: Messages, area: A): Promise<void> {
  const language = currentLanguage()
  try {
    into[area] = await TEXTS[language][area]()
    document.documentElement.lang = language
  } catch (error) {
    if (language === 'en') throw error
    console.warn('The translation could not be loaded', error)
    into[area] = await english[area]()
  }
}
