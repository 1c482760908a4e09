import { oneOf } from '../surveys/parser/one-of.ts'
import { truncate } from '../surveys/parser/truncate.ts'
import { heightDatumIn } from './heights/datum-aliases.ts'

/** A system of the register. */
export type NamedSystem = readonly [code: string, name: string]

/** The most systems that one message names. */
const MAX_NAMED = 4
/** A name that more systems have says too little. */
const MAX_FOUND = 100
/** Unknown names of one file for which systems are looked up, and their length: each search reads the whole register. */
const MAX_TEXTS = 20
const MAX_NAME = 255

/** Words without meaning in names, and other words for those of the register. */
const EMPTY = /^(?:zone|fuso|fuseau|huso|sone|strefa|faja|streifen|meridianstreifen|datum|projection|system|epsg|crs)$/
const SAME: Record<string, string[]> = {
  gk: ['gauss', 'kruger'],
  krueger: ['kruger'],
  gausskruger: ['gauss', 'kruger'],
  gausskrueger: ['gauss', 'kruger'],
  euref: ['etrs'],
  puwg: ['pl'],
  ii: ['2'],
  iii: ['3'],
  iv: ['4'],
  vi: ['6'],
  vii: ['7'],
  viii: ['8'],
}
/** Kinds of projections: a name with one of these may have other words that no system has. */
const KINDS = /^(?:utm|gauss|lambert|krovak|stereo\w*|mga|mtm)$/
/** Systems in wide use: they are named first. */
const USUAL =
  /^(?:WGS 84|ETRS89|NAD83|GDA2020|GDA94|SIRGAS 2000|JGD2011|RGF93 v1|DHDN|CH1903\+|NZGD2000)(?: \/|$)|^S-JTSK \/ Krovak East North$/
/** Variants of a system with its axes in another order or with the zone before the easting. */
const VARIANT = /\((?:[NEz-]+)\)$/

/** `DHDN / 3-degree Gauss-Kruger zone 4` → `dhdn 3degree gauss kruger 4`: words and numbers, each in one spelling. */
function wordsOf(name: string): string[] {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/(\d)[ -]?(?:degree|grad\b|°|(?=gk))/g, '$1degree ')
  const parts = plain.match(/\ddegree|\p{L}+|\d+/gu) ?? []
  return parts.filter((word) => !EMPTY.test(word)).flatMap((word) => SAME[word] ?? word)
}

/** Whether a name has the word of a kind of projection. */
export const hasProjection = (name: string): boolean => wordsOf(name).some((word) => KINDS.test(word))

/** Whether a word of a name is meant by another: the same, and `42` for the year 1942. */
const isMeant = (word: string, wanted: string): boolean =>
  word === wanted || (/^\d\d$/.test(wanted) && /^(?:19|20)\d\d$/.test(word) && word.endsWith(wanted))

/** Finds systems by some of the words of their names. */
export function systemsByWords(systems: readonly NamedSystem[]) {
  const named = [...new Map(systems)]
    .filter(([code, name]) => code.startsWith('EPSG:') && !VARIANT.test(name))
    .map((system) => ({ system, words: wordsOf(system[1]) }))
  const known = new Set(named.flatMap(({ words }) => words))
  const isKnown = (wanted: string): boolean =>
    known.has(wanted) || (/^\d\d$/.test(wanted) && (known.has(`19${wanted}`) || known.has(`20${wanted}`)))

  /** The systems whose names have all words of a text: those in wide use first, then shorter names. */
  return (text: string): NamedSystem[] => {
    const all = wordsOf(text)
    const wanted = all.some((word) => KINDS.test(word)) ? all.filter(isKnown) : all
    if (!wanted.some((word) => /\p{L}{2}/u.test(word))) return []
    const found = named.filter(({ words }) => wanted.every((one) => words.some((word) => isMeant(word, one))))
    if (found.length > MAX_FOUND) return []
    return found
      .sort(
        (a, b) => Number(USUAL.test(b.system[1])) - Number(USUAL.test(a.system[1])) || a.words.length - b.words.length,
      )
      .map(({ system }) => system)
  }
}

/** The choices for the first texts of a file; none for further ones. */
export function boundedChoices(choicesFor: (text: string) => readonly NamedSystem[]) {
  const known = new Map<string, readonly NamedSystem[]>()
  return (text: string): readonly NamedSystem[] => {
    const earlier = known.get(text)
    if (earlier || text.length > MAX_NAME || known.size >= MAX_TEXTS) return earlier ?? []
    const found = choicesFor(text)
    known.set(text, found)
    return found
  }
}

/** Why a text is no reference system that can be used, with the systems that it may mean. */
export function unreadReason(text: string, systems: readonly NamedSystem[]): string {
  const shown = `"${truncate(text, 80)}"`
  if (/^[A-Z]+:\w/.test(text))
    return `${shown} is not a projected or geographic reference system of the register that can be used here`
  const heights = heightDatumIn(text) === undefined ? '' : '+m, m being the code of its heights'
  const which = systems.length > 0 ? `; it may be ${listOfSystems(systems)}` : ''
  return `${shown} is not a reference system that can be read: name it as EPSG:n${heights}${which}`
}

/** `EPSG:2053 (Hartebeesthoek94 / Lo29) or EPSG:22289 (Cape / Lo29)`, of many the first. */
export const listOfSystems = (systems: readonly NamedSystem[]): string =>
  oneOf(
    systems.map(([code, name]) => `${code} (${name})`),
    MAX_NAMED,
  )
