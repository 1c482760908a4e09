import type { Notes } from '../report.ts'
import { type UsdPrim, values } from '../stage/usd-prim.ts'

/** How a prim is drawn, with what it inherits. Source: UsdGeomImageable of OpenUSD. */
export type Drawing = { isVisible: boolean; purpose: string }

/** The drawing of what has no parent. */
export const plainDrawing: Drawing = { isVisible: true, purpose: 'default' }

const isSupport = (purpose: string) => purpose === 'guide' || purpose === 'proxy'

/** Whether a prim is drawn. */
export const isDrawn = ({ isVisible, purpose }: Drawing): boolean => isVisible && !isSupport(purpose)

/** An invisible prim hides all below it; the purpose of a prim is its own, or that of the nearest ancestor with one. */
export const drawingOf = (prim: UsdPrim, above: Drawing): Drawing => ({
  isVisible: above.isVisible && values.text(prim, 'visibility') !== 'invisible',
  purpose: values.text(prim, 'purpose') ?? above.purpose,
})

/**
 * Returns whether a prim needs a node: it is drawn, or something below it is, or it is a skeleton or above one. Hidden
 * skeletons move meshes: only their bones are not drawn.
 */
export function nodeNeed(): (prim: UsdPrim, drawing: Drawing) => boolean {
  const known = new Map<UsdPrim, boolean>()
  const isNeeded = (prim: UsdPrim, drawing: Drawing): boolean => {
    const found = known.get(prim)
    if (found !== undefined) return found
    const isOwn = isDrawn(drawing) || prim.type === 'Skeleton'
    const needed = isOwn || prim.children.some((child) => isNeeded(child, drawingOf(child, drawing)))
    known.set(prim, needed)
    return needed
  }
  return isNeeded
}

export const hasMesh = (prim: UsdPrim): boolean => prim.type === 'Mesh' || prim.children.some(hasMesh)

/** Notes what a prim hides, if nothing above it does. */
export function noteHidden(prim: UsdPrim, above: Drawing, drawing: Drawing, notes: Notes): void {
  if (values.isAnimated(prim, 'visibility')) {
    notes.leftOut('visibility_animation', 'Prims that appear or vanish are shown as at the start.')
  }
  if (prim.type === 'Skeleton' && !prim.children.some(hasMesh)) return
  if (!isDrawn(above) || isDrawn(drawing)) return
  if (drawing.isVisible) notes.leftOut('hidden', 'Prims with the purpose guide or proxy are left out.')
  else notes.leftOut('hidden', 'Prims that are not visible are left out.')
}
