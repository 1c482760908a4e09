import type { Notes } from '../report.ts'
import { isObject } from './json.ts'
import type { Model } from './read-glb.ts'

/** Elements without a prim of their own, by their list in the file. */
const kinds = ['scenes', 'animations', 'skins', 'textures', 'images'] as const

/** Names the extras that no prim has a place for: those of the file, and of elements that are not prims. */
export function noteLeftOutExtras({ json }: Model, notes: Notes): void {
  const found: string[] = kinds.filter((kind) => listOf(json[kind]).some(hasExtras))
  if (hasExtras(json)) found.unshift('the file')
  const primitives = listOf(json.meshes).flatMap((mesh) => listOf(isObject(mesh) ? mesh.primitives : []))
  if (primitives.some(hasExtras)) found.push('primitives')
  if (found.length > 0) notes.leftOut('extras', `Extras of ${listed(found)} are left out.`)
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The names of morph targets, which some programs store in extras, are the names of blend shapes. */
const hasExtras = (element: unknown): boolean =>
  isObject(element) && isObject(element.extras) && Object.keys(element.extras).some((key) => key !== 'targetNames')

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
