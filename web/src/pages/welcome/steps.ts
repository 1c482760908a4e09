/** The steps of the guide in order. `done` follows them. */
const STEPS = ['box', 'app', 'call', 'data', 'place'] as const
export type Step = (typeof STEPS)[number]

/** Only ops and admins see the health step. */
export const stepsFor = ({ isOps }: { isOps: boolean }): Step[] => STEPS.filter((step) => isOps || step !== 'box')

/** What the guide has created so far. It is kept in the URL so that the guide can be resumed. */
export type GuideSearch = { app?: string; board?: string; file?: number; pin?: number }

/** Parses search parameters. Invalid values are dropped. */
export function parseGuideSearch(search: Record<string, unknown>): GuideSearch {
  const id = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : undefined)
  const number = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined)
  const found = { app: id(search.app), board: id(search.board), file: number(search.file), pin: number(search.pin) }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
