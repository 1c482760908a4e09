import { columnsOf } from '../../layout/columns.ts'
import { saysExported } from '../features/attribute-aliases.ts'
import type { Feature } from '../features/feature.ts'
import type { Attributes } from '../features/feature-table.ts'

/** Maximum number of attribute tags. */
const MAX_TAGS = 32
/** An attribute of an inserted block as GDAL returns it: tag, space, value. */
const ATTRIBUTE = /^BlockAttributes\d{0,3}$/
/** An escaped non-ASCII character of a drawing. */
const CHARACTER = /\\U\+([0-9A-F]{4})/gi
const meantText = (text: string): string =>
  text.replace(CHARACTER, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
const KEPT = ['Layer', 'BlockName']

/**
 * Turns the attributes of inserted blocks into columns named by their tags, beside layer and block name. A point
 * without a name gets the handle of its entity, which is stable.
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
  // Files exported by this service have everything in attributes.
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
