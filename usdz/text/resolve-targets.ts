import { tooLarge } from '../errors.ts'
import type { Contents, Layer } from '../usd/prim.ts'
import { pathBudget } from './path-budget.ts'

/** A path of a prim or a property. */
const plain = /^(?:\/[^/.{}[\]]+)+(?:\.[^/.{}[\]]+)?$/

/** The largest number of steps of all paths outside the layer. */
const maxSteps = 1_000_000
const maxDepth = 500

/**
 * Makes the targets and connections of a layer absolute. Those that are no paths are removed.
 * @returns the paths that the layer has no prim or property for, outside its variants: references may bring them in.
 * @throws ConversionError when they are too many or too deep.
 */
export function resolveTargets(layer: Layer): string[] {
  const wanted = new Set<string>()
  const resolve = ({ properties, children, variantSets = [] }: Contents, path: string): void => {
    for (const property of properties) {
      if (property.kind === 'relationship') {
        property.targets = property.targets.flatMap((target) => absolute(target, path) ?? [])
        const { edits } = property
        if (edits) edits.deleted = edits.deleted.flatMap((target) => absolute(target, path) ?? [])
        for (const target of [...property.targets, ...(edits?.deleted ?? [])]) wanted.add(target)
      } else if (typeof property.connection === 'string') {
        const connection = absolute(property.connection, path)
        if (connection === undefined) delete property.connection
        else {
          property.connection = connection
          wanted.add(connection)
        }
      }
    }
    for (const child of children) resolve(child, `${path}/${child.name}`)
    for (const { variants } of variantSets) for (const variant of variants) resolve(variant, path)
  }
  const remove = ({ properties, children }: Contents, path: string): void => {
    spend(path)
    wanted.delete(path)
    if (owners.has(path)) for (const { name } of properties) wanted.delete(`${path}.${name}`)
    for (const child of children) remove(child, `${path}/${child.name}`)
  }
  const root = { properties: [], children: layer.prims }
  resolve(root, '')
  const owners = new Set([...wanted].map((path) => path.split('.', 1)[0]!))
  const spend = pathBudget()
  remove(root, '')
  let steps = 0
  for (const path of wanted) {
    const depth = path.split('/').length
    steps += depth
    if (depth > maxDepth) throw tooLarge(`The text layer names paths more than ${maxDepth} deep.`)
    if (steps > maxSteps) throw tooLarge('The text layer names too many paths that it does not have.')
  }
  return [...wanted]
}

/** Returns a target as an absolute path: relative ones begin at a prim. */
function absolute(target: string, prim: string): string | undefined {
  if (plain.test(target)) return target
  const [, way = '', property = ''] = /^(.*?)((?<!\.)\.[^/.]+)?$/s.exec(target) ?? []
  const steps = way.startsWith('/') ? [] : prim.split('/').slice(1)
  for (const step of way.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  const path = `/${steps.join('/')}${property}`
  return plain.test(path) ? path : undefined
}
