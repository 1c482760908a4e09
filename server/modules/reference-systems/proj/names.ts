import { type NamedSystem, systemsByWords } from '../crs-choices.ts'
import { namesOf, plainName } from '../crs-names.ts'
import type { Proj } from './library.ts'

/** PROJ_CRS_INFO of proj.h, on 32 bits. */
const NAME = 8
const CODE = 4
const TYPE = 12
const DEPRECATED = 16
const POINTER = 4
const VERTICAL = 14
const PROJECTED = 15
/** Projected, geographic with two and three axes, geocentric. */
const PLANES = [15, 12, 13, 10]

export type SystemNames = {
  /** The code of a projected, geographic or geocentric system by its name in any spelling, such as `EPSG:25832`. */
  plane: (name: string) => string | undefined
  /** The current projected systems whose names have all words of a text, or of the name of the system with that code. */
  projectedLike: (text: string) => NamedSystem[]
  /** The code of a vertical system by its name. */
  vertical: (name: string) => string | undefined
  /** The code of the only vertical system in metres upwards of a datum, by the datum's name or one of its aliases. */
  verticalDatum: (name: string) => string | undefined
}

const byProj = new WeakMap<Proj, SystemNames>()

/** Names of all reference systems of EPSG and ESRI, read on first use. */
export function systemNames(proj: Proj): SystemNames {
  const known = byProj.get(proj)
  if (known) return known
  const all = ['EPSG', 'ESRI'].flatMap((authority) => infos(proj, authority))
  const plane = all.filter(({ type }) => PLANES.includes(type))
  const [current, deprecated] = [false, true].map((isOld) =>
    plane.filter(({ isDeprecated }) => isDeprecated === isOld).map(({ code, name }) => [code, name] as const),
  ) as [[string, string][], [string, string][]]
  const planes = namesOf(current, aliases(proj), deprecated)
  // The first of several with one name counts: current ones come first.
  const heights = all.filter(({ type }) => type === VERTICAL).reverse()
  const verticals = new Map(heights.map(({ code, name }) => [letters(name), code]))
  let byWords: ReturnType<typeof systemsByWords> | undefined
  let byDatum: Map<string, Set<string>> | undefined
  const made: SystemNames = {
    plane: (name) => planes.get(plainName(name)),
    projectedLike(text) {
      byWords ??= systemsByWords(
        plane
          .filter(({ type, isDeprecated }) => type === PROJECTED && !isDeprecated)
          .map(({ code, name }) => [code, name]),
      )
      return byWords(plane.find(({ code }) => code === text)?.name ?? text)
    },
    vertical: (name) => verticals.get(letters(name)) ?? verticals.get(`${letters(name)}height`),
    verticalDatum(name) {
      byDatum ??= codesByDatum(proj)
      const wanted = letters(name.replace(/ of /i, ' '))
      const codes = wanted.length < MIN_LETTERS ? undefined : byDatum.get(wanted)
      return codes?.size === 1 ? `EPSG:${[...codes][0]}` : undefined
    },
  }
  byProj.set(proj, made)
  return made
}

const DATUM_NAMES = `
  WITH named AS (
    SELECT auth_name, code, name FROM vertical_datum WHERE deprecated = 0
    UNION SELECT auth_name, code, alt_name FROM alias_name WHERE table_name = 'vertical_datum'
  )
  SELECT named.name, system.code FROM named
  JOIN vertical_crs AS system ON system.datum_auth_name = named.auth_name AND system.datum_code = named.code
  WHERE system.auth_name = 'EPSG' AND system.deprecated = 0 AND system.name LIKE '% height'`

/** `CD` and `WD`, chart and water datums of many places, are aliases of one place in the register. */
const MIN_LETTERS = 3

/** The codes of the vertical systems of each datum, by its names in letters. */
function codesByDatum(proj: Proj): Map<string, Set<string>> {
  const rows = proj.register().prepare(DATUM_NAMES).all() as { name: string; code: string }[]
  const found = new Map<string, Set<string>>()
  for (const { name, code } of rows) found.set(letters(name), (found.get(letters(name)) ?? new Set()).add(String(code)))
  return found
}

const ALIASES = `
  SELECT alias.auth_name || ':' || alias.code AS code, alias.alt_name AS name FROM alias_name AS alias
  JOIN projected_crs AS system ON system.auth_name = alias.auth_name AND system.code = alias.code
  WHERE alias.table_name = 'projected_crs' AND system.deprecated = 0 AND system.auth_name IN ('EPSG', 'ESRI')`

/** Other names of current projected systems: earlier ones, abbreviations and those of ESRI. */
const aliases = (proj: Proj): [code: string, name: string][] =>
  (proj.register().prepare(ALIASES).all() as { code: string; name: string }[]).map(({ code, name }) => [code, name])

const letters = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Sorts current systems before deprecated ones, and of one datum, which share its name, degrees before metres from the earth's centre. */
function infos(proj: Proj, authority: string): { code: string; name: string; type: number; isDeprecated: boolean }[] {
  const { module, context } = proj
  const count = module._malloc(4)
  const list = proj.number('proj_get_crs_info_list_from_database', context, authority, 0, count)
  const length = list ? module.getValue(count, 'i32') : 0
  module._free(count)
  const rows = Array.from({ length }, (_, i) => {
    const at = module.getValue(list + i * POINTER, 'i32')
    return {
      code: `${authority}:${module.UTF8ToString(module.getValue(at + CODE, 'i32'))}`,
      name: module.UTF8ToString(module.getValue(at + NAME, 'i32')),
      type: module.getValue(at + TYPE, 'i32'),
      isDeprecated: module.getValue(at + DEPRECATED, 'i32') !== 0,
    }
  })
  if (list) proj.run('proj_crs_info_list_destroy', list)
  return rows.sort(
    (a, b) => Number(a.isDeprecated) - Number(b.isDeprecated) || PLANES.indexOf(a.type) - PLANES.indexOf(b.type),
  )
}
