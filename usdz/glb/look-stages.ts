import type { StagePrim } from '../layers/stage.ts'
import { createNotes, type Notes } from '../report.ts'
import { type ComposedStage, composeStage } from '../stage/compose-stage.ts'
import type { OpenPackage } from '../stage/open-package.ts'
import type { Look } from '../stage/opinions.ts'
import { type PrimOpinion, storedValues, type UsdPrim, values } from '../stage/usd-prim.ts'

/** A variant that changes materials alone: its set, its name in the GLB, and the stage that shows it. */
export type LookStage = { set: string; name: string; stage: ComposedStage }

/** Each variant is a stage of its own: how many there may be, and how many opinions all may combine. */
const maxLooks = 100
const maxOpinions = 500_000

/**
 * Returns the variants of a stage that glTF can express: those that change nothing but the materials of its meshes. All
 * variants of a set are carried, or none of them, with a note.
 */
export function lookStages(opened: OpenPackage, stage: ComposedStage, notes: Notes): LookStage[] {
  const sets: { set: string; looks: LookStage[] }[] = []
  const budget = { looks: maxLooks, opinions: maxOpinions }
  for (const [set, { names, unselected }] of stage.variantSets) {
    if (unselected === 0) continue
    let isTooLarge = names.size > Math.min(budget.looks, budget.opinions / Math.max(1, stage.opinions))
    const looks = isTooLarge ? undefined : looksOf(opened, stage, set, [...names], budget, notes)
    isTooLarge ||= budget.opinions < 0
    if (looks) {
      budget.looks -= names.size
      sets.push({ set, looks })
    } else if (isTooLarge) notes.leftOut('variants', 'Variants that are too many for a GLB are left out.', unselected)
    else notes.leftOut('variants', 'Variants that change more than materials are left out.', unselected)
  }
  if (sets.length < 2) return sets.flatMap(({ looks }) => looks)
  notes.changed('variants', 'Variants of one set are shown with the selected ones of the others.', sets.length)
  return sets.flatMap(({ set, looks }) => looks.map((look) => ({ ...look, name: `${set}: ${look.name}` })))
}

function looksOf(
  opened: OpenPackage,
  stage: ComposedStage,
  set: string,
  names: readonly string[],
  budget: Look['budget'],
  notes: Notes,
): LookStage[] | undefined {
  const looks: LookStage[] = []
  for (const name of names) {
    const look = stageWith(opened, { set, name, budget }, notes)
    if (!look || !areAlike(stage.tops, look.tops)) return undefined
    looks.push({ set, name: titleOf(stage, set, name), stage: look })
  }
  return looks
}

/** The variant set of a package that was converted from a GLB. */
const setOfGlb = 'materialVariant'

/** The name of a variant: the one it had in a GLB, or its own. */
function titleOf({ tops }: ComposedStage, set: string, name: string): string {
  const titles = set === setOfGlb ? tops.map((prim) => values.metadata(prim, 'customData', 'gltfVariants', name)) : []
  return titles.find((title) => title !== undefined) ?? name
}

/** Composes a stage with a variant; undefined if it lacks more than the stage of the selected ones. */
function stageWith(opened: OpenPackage, look: Look, notes: Notes): ComposedStage | undefined {
  const known = new Set(notes.list().map(({ message }) => message))
  const own = createNotes()
  try {
    const stage = composeStage(opened, own, look)
    return own.list().every(({ message }) => known.has(message)) ? stage : undefined
  } catch {
    // What cannot be read, or is too large, may be in a variant that is not selected.
    return undefined
  }
}

/** Whether two prims and all below them are the same, apart from materials. */
function areAlike(some: readonly UsdPrim[], others: readonly UsdPrim[]): boolean {
  const [own, theirs] = [drawnOf(some), drawnOf(others)]
  return own.length === theirs.length && own.every((prim, i) => isAlike(prim, theirs[i]!))
}

/** Composition orders prims by the strongest opinions, which variants may change. */
const drawnOf = (prims: readonly UsdPrim[]): UsdPrim[] =>
  prims.filter(isDrawn).sort((one, other) => (one.name < other.name ? -1 : 1))

const isAlike = (prim: UsdPrim, other: UsdPrim): boolean =>
  prim.name === other.name &&
  prim.type === other.type &&
  contentsOf(prim) === contentsOf(other) &&
  areAlike(prim.children, other.children)

const contentsOf = ({ opinions }: UsdPrim): string =>
  opinions
    .map(contentsIn)
    .filter((contents) => contents !== '')
    .join()

const known = new WeakMap<StagePrim, string>()

function contentsIn(opinion: PrimOpinion): string {
  const contents = known.get(opinion.prim) ?? storedValues(opinion, (name) => !ofMaterial.test(name))
  known.set(opinion.prim, contents)
  return contents
}

/** Properties that the material of a primitive has in glTF. */
const ofMaterial = /^(material:binding|doubleSided$)/
const materialTypes = new Set(['Material', 'Shader', 'NodeGraph'])
const drawn = new WeakMap<UsdPrim, boolean>()

/** Whether a prim is more than a material, or a group of them. */
function isDrawn(prim: UsdPrim): boolean {
  const before = drawn.get(prim)
  if (before !== undefined) return before
  const isGroup = prim.type === 'Scope' || prim.type === ''
  const result = !materialTypes.has(prim.type) && !(isGroup && !prim.children.some(isDrawn))
  drawn.set(prim, result)
  return result
}
