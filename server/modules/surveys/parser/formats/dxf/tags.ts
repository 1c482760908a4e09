import { columnsOf } from '../../layout/columns.ts'
import { saysExported } from '../features/attribute-aliases.ts'
import type { Feature } from '../features/feature.ts'
import type { Attributes } from '../features/feature-table.ts'

/** More kinds of attributes than that no block of points has. */
const MAX_TAGS = 32
/** An attribute of an inserted block as GDAL gives it: its tag, a space, its value. */
const ATTRIBUTE = /^BlockAttributes\d{0,3}$/
/** A character by its code, as drawings write what is not in ASCII. */
const CHARACTER = /\\U\+([0-9A-F]{4})/gi
const meantText = (text: string): string =>
  text.replace(CHARACTER, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
const KEPT = ['Layer', 'BlockName']

/**
 * The attributes of inserted blocks as columns under their tags, beside the drawing's layer and the block's name. A point
 * without a name of its own has the handle of its entity, which the drawing keeps.
 */
export function withTags({ names, valuesOf }: Attributes, features: () => Iterable<Feature>): Attributes {
  const attributes = names.flatMap((name, index) => (ATTRIBUTE.test(name) ? [index] : []))
  const text = names.indexOf('Text')
  const tagsOf = (feature: Feature): Map<string, string> => {
    const values = valuesOf(feature)
    return new Map(
      attributes.flatMap((index) => {
        const value = values[index] ?? ''
        const space = value.indexOf(' ')
        return space > 0 ? [[value.slice(0, space), meantText(value.slice(space + 1))] as const] : []
      }),
    )
  }
  const tags = new Set<string>()
  if (attributes.length > 0)
    for (const feature of features()) for (const tag of tagsOf(feature).keys()) if (tags.size < MAX_TAGS) tags.add(tag)
  const columns = [...tags]
  // What was exported here has all it says in its attributes.
  const named = columns.some(saysExported) ? [] : KEPT
  const kept = named.map((name) => names.indexOf(name)).filter((index) => index >= 0)
  const title = columnsOf(columns).title?.[0]?.index
  const handle = names.indexOf('EntityHandle')
  return {
    names: [...(title === undefined ? ['id'] : []), ...columns, ...kept.map((index) => names[index]!)],
    valuesOf(feature) {
      const found = tagsOf(feature)
      const values = valuesOf(feature)
      const tagged = columns.map((tag, index) => found.get(tag) || (index === title ? values[handle] : undefined))
      return [...(title === undefined ? [values[handle]] : []), ...tagged, ...kept.map((index) => values[index])]
    },
    otherThanPoint: (feature) => (valuesOf(feature)[text] === undefined ? undefined : 'text'),
  }
}
