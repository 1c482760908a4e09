/** The languages of the console by their tags (BCP 47), each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español' } as const
export type Language = keyof typeof LANGUAGES

/** Where a choice is kept in this browser. */
export const LANGUAGE_KEY = 'cairn-language'
const kept = () => globalThis.localStorage?.getItem(LANGUAGE_KEY) ?? ''
const isLanguage = (tag: string | undefined): tag is Language => tag !== undefined && Object.hasOwn(LANGUAGES, tag)

/** The language that was chosen in this browser, otherwise the first of the browser's languages that the console has. */
export function currentLanguage(): Language {
  const tags = [kept(), ...navigator.languages]
  return tags.map((tag) => tag.split('-')[0]).find(isLanguage) ?? 'en'
}

/** The current language for numbers and dates, with the region of the browser if it has that language. */
export function currentLocale(): string {
  const language = currentLanguage()
  return navigator.languages.find((tag) => tag.split('-')[0] === language) ?? language
}
