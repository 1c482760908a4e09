/** The steps of the guide, in their order; `done` comes after them. */
const STEPS = ['box', 'app', 'call', 'data', 'place'] as const
export type Step = (typeof STEPS)[number]

/** Who may not see how the box fares has no step for it. */
export const stepsFor = ({ isOps }: { isOps: boolean }): Step[] => STEPS.filter((step) => isOps || step !== 'box')

/** What the guide has made so far: in the address, so that it can be left and come back to. */
export type GuideSearch = { app?: string; board?: string; file?: number; pin?: number }

/** Reads it from the address; what is not of its kind is left out. */
export function parseGuideSearch(search: Record<string, unknown>): GuideSearch {
  const id = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined)
  const number = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined)
  const found = { app: id(search.app), board: id(search.board), file: number(search.file), pin: number(search.pin) }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
